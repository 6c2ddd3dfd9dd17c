// Time of a replay of 10,000 stored plans by a document of 40 rules: reading the stored text of each plan, deciding, comparing.
import {
  BASE_POLICY,
  changeOf,
  decideAgain,
  decideCommand,
  NOTHING,
  readDocument,
  readyDocument,
} from '../../dist/server/libs/policy/src/core/index.js';

const COMMANDS = [
  ['ls', '-la'],
  ['git', 'commit', '-m', 'a message'],
  ['touch', 'src/a.ts'],
  ['npm', 'test'],
  ['rg', '-n', 'a|b', 'src'],
  ['curl', 'https://example.com/x'],
  ['cat', ...Array.from({ length: 30 }, (_, at) => `src/${at}.ts`)],
];
const WORKSPACE = { id: 'w', name: 'site', root: '/srv/site' };

function storedPlan(at) {
  const stages = [{ join: 'first', argv: COMMANDS[at % COMMANDS.length], redirects: [] }];
  const question = {
    stages,
    command: null,
    cwd: WORKSPACE.root,
    root: WORKSPACE.root,
    mode: 'confirm',
    env: {},
    toolPaths: [],
    sandbox: 'full',
  };
  return JSON.stringify({
    id: String(at),
    workspaceId: 'w',
    sessionId: 's',
    owner: 'o',
    ownerName: 'agent',
    createdAt: 1_800_000_000_000 + at * 1_000,
    requester: { id: 'o', kind: 'token', name: 'agent', roles: ['operator'], personId: null },
    body: { kind: 'command', ...question, limits: { timeoutMs: 1, maxOutputBytes: 1 } },
    decision: decideCommand(question, NOTHING, BASE_POLICY),
  });
}

/** Milliseconds, and how many verdicts would change. */
export function measureReplay(count = 10_000) {
  const rules = Array.from({ length: 40 }, (_, at) => ({
    name: `rule-${at}`,
    match: {
      tool: ['git', 'npm', 'touch', `tool-${at}`],
      path: ['src/**', `docs/${at}/**`],
      time: { zone: 'Europe/Berlin', from: '08:00', to: '18:00' },
    },
    outcome: at % 2 === 0 ? 'ask' : 'deny',
  }));
  const read = readDocument(JSON.stringify({ name: 'bench', rules }));
  const plans = Array.from({ length: count }, (_, at) => storedPlan(at));
  const from = performance.now();
  const document = readyDocument(read.document, 'bench');
  let changed = 0;
  for (const text of plans) {
    const plan = JSON.parse(text);
    if (changeOf(plan, decideAgain(plan, WORKSPACE, document)) !== undefined) changed += 1;
  }
  return { ms: performance.now() - from, changed };
}
