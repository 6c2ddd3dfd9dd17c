import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const USER_PRESENT = 0x01;
const ATTESTED = 0x40;

/** A security key in software: makes passkeys and signs with them, as a browser hands its answers on. */
export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #uses = 0;

  constructor(
    private readonly origin: string,
    private readonly rpId: string,
  ) {}

  make({ challenge }: { readonly challenge: string }): Record<string, unknown> {
    const idLength = Buffer.alloc(2);
    idLength.writeUInt16BE(this.#id.length);
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.#id, coseKey(this.#keys.publicKey)]);
    const authData = Buffer.concat([this.#header(USER_PRESENT | ATTESTED), attested]);
    const attestationObject = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['usb'],
    });
  }

  use({ challenge }: { readonly challenge: string }): Record<string, unknown> {
    this.#uses += 1;
    const authData = this.#header(USER_PRESENT);
    const clientData = this.#clientData('webauthn.get', challenge);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    });
  }

  #answer(response: object): Record<string, unknown> {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #header(flags: number): Buffer {
    const uses = Buffer.alloc(4);
    uses.writeUInt32BE(this.#uses);
    return Buffer.concat([createHash('sha256').update(this.rpId).digest(), Buffer.from([flags]), uses]);
  }
}

/** EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 | entries.length]), ...entries.flat()]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]);
  return Buffer.concat([head, bytes]);
}
