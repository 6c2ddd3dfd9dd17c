import { createHash } from 'node:crypto';
import { signedReceipt } from './signed-receipt.mjs';

/** Realistic rows for screens that need no server of our own: the same shapes as the contracts. */
const MIN = 60_000;
const HOUR = 60 * MIN;
let counter = 0;

export const id = () => `01936f00-0000-7000-8000-${String((counter += 1)).padStart(12, '0')}`;
const hash = (text) => createHash('sha256').update(text).digest('hex');

export const people = {
  me: {
    id: id(),
    kind: 'person',
    name: 'approver',
    roles: ['operator', 'approver', 'admin'],
    scopes: ['admin', 'approvals:decide', 'terminal:plan', 'terminal:execute', 'receipts:read'],
    channel: 'console',
    expiresAt: 4e12,
  },
  bot: { id: id(), name: 'release-bot' },
  docs: { id: id(), name: 'docs-bot' },
  other: { id: id(), name: 'second approver' },
};

const sandbox = {
  kind: 'bwrap',
  version: '0.11',
  enforcement: 'full',
  network: 'none',
  fileSystem: 'workspace_write',
  pidNamespace: true,
  seccomp: true,
};
const noSandbox = {
  kind: 'none',
  version: null,
  enforcement: 'none',
  network: 'open',
  fileSystem: 'open',
  pidNamespace: false,
  seccomp: false,
};

export function workspaces() {
  return [
    {
      id: id(),
      name: 'billing-service',
      root: '/srv/code/billing-service',
      mode: 'confirm',
      toolPaths: ['/opt/node-24/bin'],
      gitIdentity: { name: 'release-bot', email: 'bot@example.com' },
      createdAt: Date.now() - 40 * 24 * HOUR,
    },
    {
      id: id(),
      name: 'handbook',
      root: '/srv/code/handbook',
      mode: 'inspect',
      toolPaths: [],
      gitIdentity: null,
      createdAt: Date.now() - 9 * 24 * HOUR,
    },
  ];
}

const stage = (join, argv, redirects = []) => ({ join, argv, redirects });
const touch = (role, target, note, kind = 'path') => ({ kind, target, role, note });
const facts = (tool, effects, touches = [], more = {}) => ({
  tool,
  subcommand: null,
  effects,
  touches,
  hosts: [],
  wrapped: [],
  understood: true,
  ...more,
});

/** One command with what policy says about it; `over` changes any part of the plan. */
export function plan(
  workspace,
  {
    stages,
    analysis,
    risk,
    outcome = 'ask',
    reasons,
    rules,
    owner = people.bot,
    command = null,
    createdAt = Date.now() - 4 * MIN,
    lastsMs = 15 * MIN,
    ...over
  },
) {
  const body = {
    kind: 'command',
    command,
    stages,
    cwd: workspace.root,
    mode: workspace.mode,
    env: {},
    limits: { timeoutMs: 10 * MIN, maxOutputBytes: 1 << 20 },
  };
  return {
    id: id(),
    sessionId: id(),
    workspaceId: workspace.id,
    owner: owner.id,
    ownerName: owner.name,
    channel: 'mcp',
    body,
    pins: { cwd: {}, root: {}, executables: [], files: [{}, {}], envNames: [], policyVersion: 'v31' },
    decision: { outcome, risk, reasons, rules, stages: analysis, policyVersion: 'v31', quorum: 1, notRequester: false },
    sandbox,
    digest: hash(JSON.stringify(body) + counter),
    createdAt,
    status: outcome === 'ask' ? 'awaiting_approval' : outcome === 'allow' ? 'approved' : 'blocked',
    expiresAt: createdAt + lastsMs,
    askId: null,
    runId: null,
    receiptId: null,
    editedFrom: null,
    ...over,
  };
}

/** The ask that waits for a plan; the two name each other. */
export function askFor(plan, title, over = {}) {
  const ask = {
    id: id(),
    kind: 'plan_approval',
    status: 'open',
    planId: plan.id,
    sessionId: plan.sessionId,
    workspaceId: plan.workspaceId,
    requester: plan.owner,
    requesterName: plan.ownerName,
    requesterPersonId: null,
    title,
    summary: plan.body.stages.map((one) => one.argv.join(' ')).join(' | '),
    risk: plan.decision.risk,
    reasons: plan.decision.reasons,
    digest: plan.digest,
    quorum: plan.decision.quorum,
    notRequester: plan.decision.notRequester,
    createdAt: plan.createdAt,
    expiresAt: plan.expiresAt,
    resolvedAt: null,
    votes: [],
    ...over,
  };
  plan.askId = ask.id;
  return ask;
}

export const vote = (askId, by, answer, reason = null, at = Date.now()) => ({
  id: id(),
  askId,
  by: by.id,
  byName: by.name,
  channel: 'console',
  answer,
  reason,
  digest: '',
  at,
});

export function migration(workspace) {
  const root = workspace.root;
  return plan(workspace, {
    command: 'rg -l --null acct_id migrations/ | xargs -0 sed -i s/\\bacct_id\\b/account_id/g && npm run migrate -- --env staging',
    stages: [
      stage('first', ['rg', '-l', '--null', 'acct_id', 'migrations/']),
      stage('pipe', ['xargs', '-0', 'sed', '-i', 's/\\bacct_id\\b/account_id/g']),
      stage('and', ['npm', 'run', 'migrate', '--', '--env', 'staging']),
    ],
    analysis: [
      facts('rg', ['read'], [touch('read', `${root}/migrations`, '27 files now')]),
      facts('xargs', ['write'], [touch('write', `${root}/migrations/*.sql`, '27 files now, final in stage 1')], {
        wrapped: [['sed', '-i', 's/\\bacct_id\\b/account_id/g']],
        understood: false,
      }),
      facts(
        'npm',
        ['execute_project_code', 'network'],
        [
          touch('execute', `${root}/scripts/migrate.mjs`, 'Pinned by digest'),
          touch('connect', 'staging-db:5432', 'Named in the script’s settings', 'host'),
          touch('set', 'DATABASE_URL', 'Name only, value never shown', 'env'),
        ],
        {
          subcommand: 'run',
          scripts: [
            { name: 'premigrate', file: `${root}/package.json`, text: 'node scripts/check-env.mjs', isWhole: true },
            { name: 'migrate', file: `${root}/package.json`, text: 'node --enable-source-maps scripts/migrate.mjs', isWhole: true },
          ],
        },
      ),
    ],
    risk: 'high',
    rules: ['operands-from-output', 'project-code', 'network-open'],
    reasons: ['sed gets files that nobody can list yet', 'npm run starts scripts/migrate.mjs', 'One host outside the workspace is reached'],
    lastsMs: 15 * MIN + 20_000,
  });
}

export const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

/** A command that tries everything: direction controls, markup, Markdown, control sequences, look-alikes, tags. */
export function hostilePlan(workspace) {
  return plan(workspace, {
    owner: people.docs,
    command: `cat "notes/inv\u202Egpj.sh" ${MARKUP} [click](javascript:window.hacked=1) \u001B]8;;http://evil.test\u0007link\u001B]8;;\u0007`,
    stages: [
      stage(
        'first',
        [
          'cat',
          'notes/inv\u202Egpj.sh',
          MARKUP,
          '**bold** [click](javascript:window.hacked=1)',
          '\u001B]52;c;cm0gLXJmIH4=\u0007',
          'p\u0430ypal.com',
          'zero\u200B\u200B\u200Bwidth',
          'tag\u{E0041}\u{E0042}',
          'two words\tand\na line',
          '',
          '\uD800lone',
        ],
        [{ stream: 'stdout', path: `${workspace.root}/out\u202Etxt.exe`, append: false }],
      ),
    ],
    analysis: [
      facts(
        'cat',
        ['read', 'write'],
        [
          touch('read', `${workspace.root}/notes/inv\u202Egpj.sh`, `new file ${MARKUP}`),
          touch('write', `${workspace.root}/out\u202Etxt.exe`, 'new file'),
        ],
      ),
    ],
    risk: 'medium',
    rules: ['hidden-characters', MARKUP],
    reasons: ['The words hold characters that do not show', `Named ${MARKUP} \u202Eevil`],
    createdAt: Date.now() - 20 * MIN,
    lastsMs: 2 * HOUR,
  });
}

export function sample() {
  const spaces = workspaces();
  const [billing, handbook] = spaces;
  const first = migration(billing);
  const install = plan(billing, {
    stages: [stage('first', ['npm', 'install', '--save-exact', 'undici@7.16.0'])],
    analysis: [
      facts(
        'npm',
        ['write', 'network'],
        [
          touch('write', `${billing.root}/package.json`, 'inside the workspace'),
          touch('write', `${billing.root}/node_modules`, 'inside the workspace'),
          touch('connect', 'registry.example.org:443', 'package registry', 'host'),
        ],
        { subcommand: 'install' },
      ),
    ],
    risk: 'medium',
    rules: ['package-install'],
    reasons: ['npm install fetches and unpacks a package'],
    sandbox: noSandbox,
    lastsMs: 45 * MIN,
  });
  const push = plan(billing, {
    stages: [stage('first', ['git', 'push', 'origin', 'docs/retention'])],
    analysis: [facts('git', ['network'], [touch('connect', 'git.example.com:22', 'remote origin', 'host')], { subcommand: 'push' })],
    risk: 'high',
    rules: ['git-push'],
    reasons: ['git push sends commits to a remote'],
    lastsMs: 2 * HOUR,
  });
  push.decision = { ...push.decision, quorum: 2 };
  const hostile = hostilePlan(handbook);
  const tar = plan(handbook, {
    stages: [stage('first', ['tar', '-czf', 'build/site.tgz', 'site/'])],
    analysis: [
      facts(
        'tar',
        ['read', 'write'],
        [touch('read', `${handbook.root}/site`, '214 files'), touch('write', `${handbook.root}/build/site.tgz`, 'new file')],
      ),
    ],
    risk: 'low',
    rules: ['workspace-write'],
    reasons: ['tar writes a new file inside the workspace'],
    owner: people.docs,
    lastsMs: 22 * HOUR,
  });
  const asks = [
    askFor(first, 'Edit files that a search finds, then run project code', {
      requesterPersonId: people.other.id,
      requesterPersonName: people.other.name,
    }),
    askFor(install, 'Install a package'),
    askFor(push, 'Push to a remote branch', { quorum: 2 }),
    askFor(hostile, `Read a file ${MARKUP} \u202Edaer`),
    askFor(tar, 'Write an archive', {
      requester: people.me.id,
      requesterName: 'docs-bot',
      requesterPersonId: people.me.id,
      notRequester: true,
    }),
  ];
  asks[2].votes = [vote(asks[2].id, people.me, 'approve')];
  return { spaces, plans: [first, install, push, hostile, tar], asks, ...work(billing), ...evidence(billing) };
}

/** A run that goes on, with output of both streams and every sequence that must not act. */
function work(workspace) {
  const test = plan(workspace, {
    stages: [stage('first', ['npm', 'test', '--', '--runInBand'])],
    analysis: [
      facts('npm', ['execute_project_code'], [touch('execute', `${workspace.root}/package.json`, 'script test: jest --runInBand')], {
        subcommand: 'test',
      }),
    ],
    risk: 'medium',
    rules: ['project-code'],
    reasons: ['npm test runs the project’s own script'],
    status: 'running',
    createdAt: Date.now() - 3 * MIN,
  });
  const run = {
    id: id(),
    planId: test.id,
    sessionId: test.sessionId,
    owner: test.owner,
    status: 'running',
    outcome: null,
    startedAt: Date.now() - 87_000,
    endedAt: null,
    exitCode: null,
    signal: null,
    receiptId: null,
  };
  test.runId = run.id;
  const asked = askFor(test, 'Run project code', { status: 'approved', resolvedAt: Date.now() - 90_000 });
  asked.votes = [vote(asked.id, people.me, 'approve', null, Date.now() - 90_000)];
  return {
    run,
    runPlan: test,
    runAsk: asked,
    output: OUTPUT.map(([stream, text], index) => ({ seq: index + 1, stream, text, at: Date.now() - 60_000 + index * 500 })),
  };
}

const G = '\u001B[32m';
const B = '\u001B[1m';
const D = '\u001B[2m';
const R = '\u001B[31m';
const N = '\u001B[0m';
export const OUTPUT = [
  ['stdout', `\n> billing-service@4.12.0 test\n> jest --runInBand\n\n`],
  [
    'stdout',
    `${G}${B}PASS${N} src/ledger/${B}rounding.spec.ts${N} ${D}(2.114 s)${N}\n  half-even rounding\n    ${G}✓${N} ${D}keeps the sum of split amounts (31 ms)${N}\n    ${G}✓${N} ${D}refuses a currency without minor units (2 ms)${N}\n`,
  ],
  [
    'stdout',
    `${G}${B}PASS${N} src/ledger/${B}posting.spec.ts${N} ${D}(4.870 s)${N}\n  double entry\n    ${G}✓${N} ${D}never leaves a posting without its counterpart (402 ms)${N}\n    ${G}✓${N} ${D}replays 10,000 random postings to the same balance (3,918 ms)${N}\n`,
  ],
  ['stderr', `\u001B[33mwarn${N}  retry 1 of 3: fixture server answered 503, token [REDACTED]\n`],
  [
    'stdout',
    `${G}${B}PASS${N} src/invoices/${B}numbering.spec.ts${N} ${D}(1.662 s)${N}\n  invoice numbers\n    ${G}✓${N} ${D}have no gap under 32 writers (1,104 ms)${N}\n`,
  ],
  [
    'stdout',
    `${R}${B}FAIL${N} src/refunds/${B}partial.spec.ts${N} ${D}(6.020 s)${N}\n  partial refunds\n    ${R}✕${N} a second refund never exceeds what is left (118 ms)\n\n      Expected: ${G}<= 1250${N}\n      Received:    ${R}1251${N}\n\n`,
  ],
  [
    'stdout',
    `\u001B]0;owned\u0007\u001B]8;;http://evil.test\u0007docs link\u001B]8;;\u0007 \u001B]52;c;cm0gLXJmIH4=\u0007\u001B[2J\u001B[1;1Hnot cleared <img src=x onerror="window.hacked=1"> \u202Ereversed\n`,
  ],
  ['stdout', `${B}\u001B[36mRUNS${N} src/settlement/${B}batch.spec.ts${N}`],
];

function evidence(workspace) {
  const at = (ms) => new Date(ms).toISOString();
  const now = Date.now() - 25 * MIN;
  const file = (over = {}) => {
    const rid = id();
    const stages = [
      { join: 'first', argv: ['rg', '-l', '--null', 'acct_id', 'migrations/'], ran: true, exitCode: 0, signal: null, durationMs: 212 },
      {
        join: 'pipe',
        argv: ['xargs', '-0', 'sed', '-i', 's/\\bacct_id\\b/account_id/g'],
        ran: true,
        exitCode: 0,
        signal: null,
        durationMs: 103,
      },
      { join: 'and', argv: ['npm', 'run', 'migrate', '--', '--env', 'staging'], ran: true, exitCode: 0, signal: null, durationMs: 41_480 },
    ];
    const planId = id();
    const sessionId = id();
    const receipt = {
      schema_version: '1.0',
      id: rid,
      plan_id: planId,
      session_id: sessionId,
      command: 'rg -l --null acct_id migrations/ | xargs -0 sed -i s/\\bacct_id\\b/account_id/g && npm run migrate -- --env staging',
      cwd: workspace.root,
      mode: 'confirm',
      risk: 'high',
      approved: true,
      policy: { allowed: true, risk: 'high', requires_approval: true, reasons: ['npm run starts scripts/migrate.mjs'], argv: ['rg', '-l'] },
      status: 'succeeded',
      started_at: at(now - 41_800),
      finished_at: at(now),
      duration_ms: 41_800,
      exit_code: 0,
      signal: null,
      stdout: `27 files changed\n${MARKUP}\u202E\u001B[31mred\n`,
      stderr: '',
      output_truncated: false,
    };
    const facts = {
      schema: 'countersign/evidence/1',
      id: rid,
      kind: 'run',
      requester: { id: people.bot.id, name: people.bot.name, kind: 'token', channel: 'mcp' },
      at: at(now),
      summary: 'release-bot ran one command',
      plan_digest: hash(planId),
      plan_id: planId,
      session_id: sessionId,
      run_id: id(),
      workspace: { id: workspace.id, name: workspace.name, root: workspace.root },
      approvals: [{ by: people.me.id, name: 'approver', channel: 'console', answer: 'approve', reason: null, at: at(now - 44_000) }],
      policy: {
        version: 'v31',
        outcome: 'ask',
        risk: 'high',
        rules: ['operands-from-output', 'project-code', 'network-open'],
        reasons: [
          'sed gets files that nobody can list yet',
          'npm run starts scripts/migrate.mjs',
          'One host outside the workspace is reached',
        ],
      },
      sandbox,
      limits: { timeoutMs: 600_000, maxOutputBytes: 1 << 20 },
      limit_hit: null,
      outcome: 'succeeded',
      stages,
      stdout: { bytes: 3_204, sha256: hash('out'), kept: 3_204, redactions: 1, invalidUtf8: 0 },
      stderr: { bytes: 0, sha256: hash(''), kept: 0, redactions: 0, invalidUtf8: 0 },
      usage: { wall_ms: 41_800, cpu_ms: 9_000, max_rss_bytes: 1e8 },
      survivors: [],
      ...over,
    };
    return signedReceipt({ receipt, evidence: facts, index: 41_207, siblings: 16 });
  };
  const good = file();
  const bad = file();
  bad.receipt = { ...bad.receipt, exit_code: 1 };
  const summaries = Array.from({ length: 1_200 }, (_, index) => {
    const outcome = [
      'succeeded',
      'succeeded',
      'failed',
      'succeeded',
      'timed_out',
      'blocked',
      'unknown',
      'succeeded',
      'rejected',
      'cancelled',
    ][index % 10];
    const own = index === 0 ? good.evidence.id : index === 1 ? bad.evidence.id : id();
    const command = [
      'npm test -- --runInBand',
      'rg -l acct_id src/',
      'git push origin main',
      'git status --short',
      'make release VERSION=4.12.0',
      `cat notes/inv\u202Egpj.sh ${MARKUP}`,
    ][index % 6];
    return {
      id: own,
      index: 41_207 - index,
      kind: 'run',
      outcome,
      summary: command,
      command,
      risk: 'medium',
      requesterName: index % 3 === 0 ? 'release-bot' : 'docs-bot',
      approverNames: index % 2 === 0 ? ['approver'] : [],
      workspaceName: workspace.name,
      durationMs: 300 + index * 37,
      at: Date.now() - index * 7 * MIN,
    };
  });
  return {
    receipts: new Map([
      [good.evidence.id, good],
      [bad.evidence.id, bad],
    ]),
    goodReceipt: good.evidence.id,
    badReceipt: bad.evidence.id,
    summaries,
  };
}
