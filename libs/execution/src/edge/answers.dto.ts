import { ApiProperty } from '@nestjs/swagger';
import {
  CHANNELS,
  ENFORCEMENTS,
  MODES,
  OUTPUT_STREAMS,
  PLAN_STATUSES,
  RUN_OUTCOMES,
  RUN_STATUSES,
  SESSION_STATUSES,
  type OutputChunk,
  type Page,
  type Plan,
  type Run,
  type Session,
  type Snapshot,
  type SystemInfo,
  type Workspace,
} from '#contracts';

/** What REST answers, for the documentation. `implements` keeps each in step with its contract type. */

const ID = { type: String, format: 'uuid' } as const;
const LINK = { ...ID, nullable: true } as const;
const MAYBE = { type: Number, nullable: true } as const;

export class WorkspaceDto implements Workspace {
  @ApiProperty(ID)
  readonly id!: Workspace['id'];
  @ApiProperty({ type: String })
  readonly name!: string;
  @ApiProperty({ type: String })
  readonly root!: string;
  @ApiProperty({ enum: MODES })
  readonly mode!: Workspace['mode'];
  @ApiProperty({ type: [String] })
  readonly toolPaths!: readonly string[];
  @ApiProperty({ type: Object, nullable: true })
  readonly gitIdentity!: Workspace['gitIdentity'];
  @ApiProperty({ type: Number })
  readonly createdAt!: number;
}

export class WorkspacesDto implements Snapshot<Workspace> {
  @ApiProperty({ type: [WorkspaceDto] })
  readonly items!: readonly WorkspaceDto[];
  @ApiProperty({ type: Number })
  readonly seq!: number;
}

export class SessionDto implements Session {
  @ApiProperty(ID)
  readonly id!: Session['id'];
  @ApiProperty({ type: String })
  readonly owner!: Session['owner'];
  @ApiProperty({ type: String })
  readonly ownerName!: string;
  @ApiProperty(ID)
  readonly workspaceId!: Session['workspaceId'];
  @ApiProperty({ enum: SESSION_STATUSES })
  readonly status!: Session['status'];
  @ApiProperty({ type: Number })
  readonly createdAt!: number;
  @ApiProperty({ type: Number })
  readonly lastActiveAt!: number;
  @ApiProperty(MAYBE)
  readonly closedAt!: number | null;
}

export class SessionsDto implements Snapshot<Session> {
  @ApiProperty({ type: [SessionDto] })
  readonly items!: readonly SessionDto[];
  @ApiProperty({ type: Number })
  readonly seq!: number;
}

export class PlanDto implements Plan {
  @ApiProperty(ID)
  readonly id!: Plan['id'];
  @ApiProperty(ID)
  readonly sessionId!: Plan['sessionId'];
  @ApiProperty(ID)
  readonly workspaceId!: Plan['workspaceId'];
  @ApiProperty({ type: String })
  readonly owner!: Plan['owner'];
  @ApiProperty({ type: String })
  readonly ownerName!: string;
  @ApiProperty({ enum: CHANNELS })
  readonly channel!: Plan['channel'];
  @ApiProperty({ type: Object, description: 'What runs: stages, working folder, mode, variables, limits' })
  readonly body!: Plan['body'];
  @ApiProperty({ type: Object, description: 'What the plan saw: identities of folders, programs and scripts' })
  readonly pins!: Plan['pins'];
  @ApiProperty({ type: Object, description: 'What policy said, with reasons and rules' })
  readonly decision!: Plan['decision'];
  @ApiProperty({ type: Object, description: 'What contains the run' })
  readonly sandbox!: Plan['sandbox'];
  @ApiProperty({ type: String, description: 'What an approval names' })
  readonly digest!: string;
  @ApiProperty({ type: Number })
  readonly createdAt!: number;
  @ApiProperty({ enum: PLAN_STATUSES })
  readonly status!: Plan['status'];
  @ApiProperty({ type: Number })
  readonly expiresAt!: number;
  @ApiProperty(LINK)
  readonly askId!: Plan['askId'];
  @ApiProperty(LINK)
  readonly runId!: Plan['runId'];
  @ApiProperty(LINK)
  readonly receiptId!: Plan['receiptId'];
  @ApiProperty(LINK)
  readonly editedFrom!: Plan['editedFrom'];
}

export class PlansDto implements Page<Plan> {
  @ApiProperty({ type: [PlanDto] })
  readonly items!: readonly PlanDto[];
  @ApiProperty({ type: String, nullable: true, description: 'The `before` of the following page' })
  readonly next!: string | null;
}

export class RunDto implements Run {
  @ApiProperty(ID)
  readonly id!: Run['id'];
  @ApiProperty(ID)
  readonly planId!: Run['planId'];
  @ApiProperty(ID)
  readonly sessionId!: Run['sessionId'];
  @ApiProperty({ type: String })
  readonly owner!: Run['owner'];
  @ApiProperty({ enum: RUN_STATUSES })
  readonly status!: Run['status'];
  @ApiProperty({ enum: RUN_OUTCOMES, nullable: true })
  readonly outcome!: Run['outcome'];
  @ApiProperty({ type: Number })
  readonly startedAt!: number;
  @ApiProperty(MAYBE)
  readonly endedAt!: number | null;
  @ApiProperty(MAYBE)
  readonly exitCode!: number | null;
  @ApiProperty(MAYBE)
  readonly signal!: number | null;
  @ApiProperty(LINK)
  readonly receiptId!: Run['receiptId'];
}

export class RunsDto implements Snapshot<Run> {
  @ApiProperty({ type: [RunDto] })
  readonly items!: readonly RunDto[];
  @ApiProperty({ type: Number })
  readonly seq!: number;
}

export class OutputChunkDto implements OutputChunk {
  @ApiProperty({ type: Number })
  readonly seq!: number;
  @ApiProperty({ enum: OUTPUT_STREAMS })
  readonly stream!: OutputChunk['stream'];
  @ApiProperty({ type: String })
  readonly text!: string;
  @ApiProperty({ type: Number })
  readonly at!: number;
}

export class OutputDto {
  @ApiProperty({ type: [OutputChunkDto] })
  readonly items!: readonly OutputChunkDto[];
  @ApiProperty({ type: Boolean, description: 'True when no more will come' })
  readonly ended!: boolean;
}

export class SystemDto implements SystemInfo {
  @ApiProperty({ type: String })
  readonly version!: string;
  @ApiProperty({ type: Number })
  readonly startedAt!: number;
  @ApiProperty({ enum: ['sqlite', 'postgres'] })
  readonly database!: SystemInfo['database'];
  @ApiProperty({ type: Object })
  readonly sandbox!: SystemInfo['sandbox'];
  @ApiProperty({ type: String, nullable: true })
  readonly sandboxAdvice!: string | null;
  @ApiProperty({ enum: ENFORCEMENTS })
  readonly enforcement!: SystemInfo['enforcement'];
  @ApiProperty({ type: String })
  readonly mcpUrl!: string;
}
