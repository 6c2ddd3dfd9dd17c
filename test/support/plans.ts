import type {
  Decision,
  FilePin,
  Plan,
  PlanId,
  Principal,
  PrincipalId,
  Run,
  RunId,
  SandboxFacts,
  Session,
  SessionId,
  Stage,
  WorkspaceId,
} from '#contracts';

/** Test data: complete, valid, and changed only where a test says so. */

export const NOBODY = '01890000-0000-7000-8000-000000000001' as PrincipalId;

export function aPrincipal(change: Partial<Principal> = {}): Principal {
  return {
    id: NOBODY,
    kind: 'token',
    name: 'agent',
    roles: [],
    scopes: ['terminal:plan', 'terminal:execute'],
    channel: 'mcp',
    expiresAt: Number.MAX_SAFE_INTEGER,
    ...change,
  };
}

export function aPin(change: Partial<FilePin> = {}): FilePin {
  return { path: '/usr/bin/ls', dev: 1, ino: 2, size: 3, mtimeMs: 4, ctimeMs: 5, ...change };
}

export function aStage(...argv: string[]): Stage {
  return { join: 'first', argv, redirects: [] };
}

export function aDecision(change: Partial<Decision> = {}): Decision {
  return {
    outcome: 'allow',
    risk: 'low',
    reasons: ['It only reads.'],
    rules: ['read.only'],
    stages: [{ tool: 'ls', subcommand: null, effects: ['read'], touches: [], hosts: [], wrapped: [], understood: true }],
    policyVersion: 'base-1',
    quorum: 1,
    notRequester: false,
    ...change,
  };
}

export const NO_SANDBOX: SandboxFacts = {
  kind: 'none',
  version: null,
  enforcement: 'none',
  network: 'open',
  fileSystem: 'open',
  pidNamespace: false,
  seccomp: false,
};

export function aPlan(change: Partial<Plan> = {}): Plan {
  return {
    id: '01890000-0000-7000-8000-0000000000aa' as PlanId,
    sessionId: '01890000-0000-7000-8000-0000000000bb' as SessionId,
    workspaceId: '01890000-0000-7000-8000-0000000000cc' as WorkspaceId,
    owner: NOBODY,
    ownerName: 'agent',
    channel: 'mcp',
    body: {
      kind: 'command',
      command: null,
      stages: [aStage('ls')],
      cwd: '/srv/site',
      mode: 'confirm',
      env: {},
      limits: { timeoutMs: 120_000, maxOutputBytes: 1_048_576 },
    },
    pins: {
      cwd: aPin({ path: '/srv/site' }),
      root: aPin({ path: '/srv/site' }),
      executables: [aPin()],
      files: [],
      envNames: [],
      policyVersion: 'base-1',
    },
    decision: aDecision(),
    sandbox: NO_SANDBOX,
    digest: '0'.repeat(64),
    createdAt: 1_000,
    status: 'approved',
    expiresAt: 901_000,
    askId: null,
    runId: null,
    receiptId: null,
    editedFrom: null,
    ...change,
  };
}

export function aRun(change: Partial<Run> = {}): Run {
  const { id: planId, sessionId, owner } = aPlan();
  return {
    id: '01890000-0000-7000-8000-0000000000dd' as RunId,
    planId,
    sessionId,
    owner,
    status: 'started',
    outcome: null,
    startedAt: 2_000,
    endedAt: null,
    exitCode: null,
    signal: null,
    receiptId: null,
    ...change,
  };
}

export function aSession(change: Partial<Session> = {}): Session {
  return {
    id: aPlan().sessionId,
    owner: NOBODY,
    ownerName: 'agent',
    workspaceId: aPlan().workspaceId,
    status: 'open',
    createdAt: 0,
    lastActiveAt: 0,
    closedAt: null,
    ...change,
  };
}

/** A value that the test knows to be there. */
export function the<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The test expected a value here');
  return value;
}
