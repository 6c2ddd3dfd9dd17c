import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { KEY_USES, type KeyInfo, type KeyUse, type PublicKey, type PublicKeyInfo } from '#contracts';

export class RotateKeyDto {
  /** `ed25519` signs envelopes and checkpoints, `hmac` the 1.0 part. */
  @IsIn(KEY_USES)
  readonly use!: KeyUse;
}

export class RevokeKeyDto {
  /** Why it is not to be believed any more; stands in the ledger. */
  @IsString()
  @IsNotEmpty()
  @MaxLength(500)
  readonly reason!: string;
}

export class KeyIdParam {
  @Matches(/^[0-9a-f]{16}$/)
  readonly id!: string;
}

export class PublicKeyDto implements PublicKey {
  @ApiProperty()
  readonly id: string;
  @ApiProperty({ enum: ['ed25519'] })
  readonly algorithm = 'ed25519';
  @ApiProperty({ description: 'SPKI DER in base64.' })
  readonly publicKey: string;

  constructor({ id, publicKey }: PublicKey) {
    this.id = id;
    this.publicKey = publicKey;
  }
}

export class PublicKeyInfoDto extends PublicKeyDto implements PublicKeyInfo {
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly retiredAt: number | null;
  @ApiProperty({ description: 'The first ledger entry that the key may sign.' })
  readonly firstIndex: number;
  @ApiProperty({ type: Number, nullable: true, description: 'The last one; null while the key is active.' })
  readonly lastIndex: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly revokedAt: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'The ledger entry that revokes it.' })
  readonly revokedIndex: number | null;

  constructor(key: PublicKeyInfo) {
    super(key);
    this.createdAt = key.createdAt;
    this.retiredAt = key.retiredAt;
    this.firstIndex = key.firstIndex;
    this.lastIndex = key.lastIndex;
    this.revokedAt = key.revokedAt;
    this.revokedIndex = key.revokedIndex;
  }
}

export class KeyInfoDto implements KeyInfo {
  @ApiProperty()
  readonly id: string;
  @ApiProperty({ enum: KEY_USES })
  readonly use: KeyUse;
  @ApiProperty({ enum: ['ed25519', 'hmac-sha256'] })
  readonly algorithm: KeyInfo['algorithm'];
  @ApiProperty({ required: false, description: 'SPKI DER in base64; HMAC keys have no public part.' })
  readonly publicKey?: string;
  @ApiProperty()
  readonly isActive: boolean;
  @ApiProperty()
  readonly createdAt: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly retiredAt: number | null;
  @ApiProperty()
  readonly firstIndex: number;
  @ApiProperty({ type: Number, nullable: true })
  readonly lastIndex: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly revokedAt: number | null;
  @ApiProperty({ type: Number, nullable: true })
  readonly revokedIndex: number | null;

  constructor(key: KeyInfo) {
    this.id = key.id;
    this.use = key.use;
    this.algorithm = key.algorithm;
    if (key.publicKey !== undefined) this.publicKey = key.publicKey;
    this.isActive = key.isActive;
    this.createdAt = key.createdAt;
    this.retiredAt = key.retiredAt;
    this.firstIndex = key.firstIndex;
    this.lastIndex = key.lastIndex;
    this.revokedAt = key.revokedAt;
    this.revokedIndex = key.revokedIndex;
  }
}
