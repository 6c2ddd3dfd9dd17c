import { id, people, MARKUP } from './sample-data.mjs';

/** The policy part of the fake server: answers from memory, in the shapes of the contracts, without judging anything. */
const HOUR = 3_600_000;

const NO_MATCH = {
  workspaces: [],
  principals: [],
  kinds: [],
  roles: [],
  sessions: [],
  modes: [],
  tools: [],
  subcommands: [],
  argv: null,
  cwd: null,
  effects: [],
  paths: [],
  hosts: [],
  risks: [],
  findings: [],
  connectorActions: [],
  times: [],
};
const TERMS = { deciders: [], quorum: 1, notRequester: false, withinMs: null, onExpiry: 'deny', remember: true };
const example = (command) => ({ command, argv: null, mode: 'confirm', workspace: 'example', kind: 'token', roles: [] });
const rule = (name, line, match, more = {}) => ({
  name,
  match: { ...NO_MATCH, ...match },
  outcome: 'ask',
  ask: TERMS,
  limits: null,
  reason: null,
  examples: { match: [], notMatch: [] },
  line,
  ...more,
});

export const YAML = `# Rules of this team. The built-in policy always applies; the strictest rule wins.
name: Payments
rules:
  - name: two-for-pushes
    match:
      tool: git
      subcommand: push
      workspace: billing-service
    outcome: ask
    ask: { role: approver, quorum: 2, not_requester: true, within: 15m }
    reason: What leaves the machine is seen by two people.
    examples:
      match: [git push origin main]
      not_match: [git status]
  - name: no-deploys-at-night
    match:
      tool: make
      argv: [make, deploy]
      time: { zone: Europe/Berlin, weekdays: [mon, tue, wed, thu, fri], from: '18:00', to: '08:00' }
    outcome: deny
  - name: docs-are-free
    match:
      tool: [tee, cp, mv, touch]
      path: { glob: 'docs/**', role: write }
    outcome: allow
    limits: { timeout: 30s, network: none, sandbox: required }
`;

const RULES = [
  rule(
    'two-for-pushes',
    4,
    { tools: ['git'], subcommands: ['push'], workspaces: ['billing-service'] },
    {
      ask: { ...TERMS, deciders: [{ roles: ['approver'], people: [] }], quorum: 2, notRequester: true, withinMs: 900_000 },
      reason: 'What leaves the machine is seen by two people.',
      examples: { match: [example('git push origin main')], notMatch: [example('git status')] },
    },
  ),
  rule(
    'no-deploys-at-night',
    15,
    {
      argv: ['make', 'deploy'],
      tools: ['make'],
      times: [{ zone: 'Europe/Berlin', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '18:00', to: '08:00' }],
    },
    { outcome: 'deny', ask: null },
  ),
  rule(
    'docs-are-free',
    21,
    { tools: ['tee', 'cp', 'mv', 'touch'], paths: [{ glob: 'docs/**', roles: ['write'] }] },
    { outcome: 'allow', ask: null, limits: { timeoutMs: 30_000, maxOutputBytes: null, hosts: [], sandboxRequired: true } },
  ),
];

const BASE = {
  policyVersion: 'base-1',
  yaml: '# The built-in policy, written as a document.\nname: Built-in policy base-1\nrules: []\n',
  document: {
    name: 'Built-in policy base-1',
    rules: [
      rule('grave-ask', 5, {
        modes: ['confirm', 'trusted'],
        findings: [
          'network.connect',
          'packages.install',
          'git.refs',
          'git.discard',
          'path.secret',
          'path.later',
          'inline.code',
          'tool.unknown',
        ],
      }),
      rule('never', 20, { findings: ['privilege.tool', 'path.outside'] }, { outcome: 'deny', ask: null }),
    ],
  },
  findings: [
    { name: 'network.connect', level: 'grave', risk: 'high', says: 'It connects to {}.', lowerable: true },
    { name: 'path.secret', level: 'grave', risk: 'high', says: '{} is where secrets are kept.', lowerable: false },
    { name: 'write.workspace', level: 'work', risk: 'medium', says: 'It writes {}.', lowerable: true },
  ],
};

const info = (version, note, at, more = {}) => ({
  version,
  name: 'Payments',
  author: people.other.id,
  authorName: people.other.name,
  note,
  at,
  restoredFrom: null,
  rules: 3,
  sha256: 'a'.repeat(64),
  yaml: YAML,
  ...more,
});

export function policyData() {
  const now = Date.now();
  return {
    versions: [
      info(3, 'Deploys at night are blocked', now - 5 * HOUR),
      info(2, `Pushes need two ${MARKUP} \u202Eevil`, now - 80 * HOUR, {
        rules: 1,
        yaml: YAML.slice(0, YAML.indexOf('  - name: no-deploys')),
      }),
      info(1, 'First rules', now - 900 * HOUR, { rules: 0, yaml: '# Rules of this team.\nname: Payments\nrules: []\n' }),
    ],
    remembered: [
      remembered('npm run build', 'npm run build in billing-service, the same script', 'active', 14, now),
      remembered(`git commit -m ${MARKUP}`, 'git commit in this session \u202Eeverything', 'active', 0, now),
      remembered('make test', 'make test', 'revoked', 3, now),
    ],
    proposals: [
      {
        id: id(),
        by: people.bot.id,
        byName: people.bot.name,
        byKind: 'token',
        at: now - 2 * HOUR,
        note: `Approve everything ${MARKUP}`,
        planId: null,
        kind: null,
        rules: '- name: read-docs\n  match: { tool: rg, path: docs/** }\n  outcome: allow\n',
        status: 'open',
        closedAt: null,
        closedBy: null,
        closedByName: null,
        closedReason: null,
        version: null,
      },
    ],
  };
}

const remembered = (command, covers, state, uses, now) => ({
  id: id(),
  sessionId: id(),
  workspaceId: id(),
  owner: people.bot.id,
  ownerName: people.bot.name,
  by: people.me.id,
  byName: people.me.name,
  at: now - 3 * HOUR,
  askId: id(),
  planId: id(),
  command,
  covers,
  state,
  uses,
  lastUsedAt: uses > 0 ? now - HOUR : null,
  endedAt: state === 'active' ? null : now - HOUR / 2,
  endedByName: state === 'revoked' ? people.other.name : null,
});

const change = (kind, was, wouldBe, command, rules = ['document:docs-are-free']) => ({
  planId: id(),
  command,
  workspaceId: id(),
  ownerName: people.bot.name,
  createdAt: Date.now() - 30 * HOUR,
  was,
  wouldBe,
  change: kind,
  rules,
});

export function replayOf(days = 7) {
  return {
    days,
    plans: 4_210,
    unchanged: 4_204,
    looser: 3,
    stricter: 2,
    terms: 1,
    skipped: 12,
    capped: false,
    changes: [
      change('looser', 'ask', 'allow', 'cp -r build/ docs/site'),
      change('looser', 'ask', 'allow', 'cp -r build/ docs/site'),
      change('looser', 'ask', 'allow', `touch docs/${MARKUP}\u202Etxt`),
      change('stricter', 'ask', 'deny', 'make deploy', ['document:no-deploys-at-night']),
      change('stricter', 'allow', 'ask', 'git push origin docs/retention', ['document:two-for-pushes']),
      change('terms', 'ask', 'ask', 'git push origin main', ['document:two-for-pushes']),
    ],
    ms: 812,
  };
}

/** What stands in a line that says `nmae` is a mistake; everything else reads well. */
function check(data, yaml) {
  const at = yaml.split('\n').findIndex((line) => line.includes('nmae'));
  const issues = at < 0 ? [] : [{ line: at + 1, column: 5, path: 'rules.3.nmae', message: 'is not a key that is known here' }];
  const isBad = yaml.includes('git shrug');
  const examples = [
    { rule: 'two-for-pushes', kind: 'match', text: 'git push origin main', ok: true, outcome: 'ask', line: 13 },
    { rule: 'two-for-pushes', kind: 'not_match', text: isBad ? 'git shrug' : 'git status', ok: !isBad, outcome: 'allow', line: 14 },
  ];
  return {
    ok: issues.length === 0 && !isBad,
    issues,
    warnings: [],
    examples: at < 0 ? examples : [],
    document: at < 0 ? { name: 'Payments', rules: RULES } : null,
    diff: at < 0 ? { added: [], removed: [], changed: yaml === data.versions[0].yaml ? [] : ['docs-are-free'], lines: [] } : null,
    current: data.versions[0].version,
  };
}

/** A version with what it changes: everything as added, since nobody reads more than that here. */
function whole(data, version) {
  const one = data.versions.find((row) => row.version === version);
  if (one === undefined) return undefined;
  const lines = one.yaml
    .trimEnd()
    .split('\n')
    .map((text) => ({ kind: 'added', text }));
  return { ...one, document: { name: one.name, rules: RULES }, diff: { added: ['two-for-pushes'], removed: [], changed: [], lines } };
}

const offer = (kind, title, looser) => ({
  kind,
  title,
  rule: `- name: learned-${kind}\n  match: { tool: npm, subcommand: install }\n  outcome: allow\n`,
  yaml: YAML,
  replay: { ...replayOf(), looser, stricter: 0, terms: 0, changes: looser === 0 ? [] : replayOf().changes.slice(0, looser) },
});

export function policyRoutes(data, { json, refuse, found, emit }) {
  const save = ({ yaml, previous, note }, by = people.me, restoredFrom = null) => {
    const version = previous + 1;
    data.versions.unshift(info(version, note, Date.now(), { yaml, author: by.id, authorName: by.name, restoredFrom }));
    emit({ type: 'policy.changed', version: String(version) });
    return whole(data, version);
  };
  const guarded = (response, body, work) =>
    body.previous === data.versions[0].version
      ? json(response, 201, work())
      : refuse(response, 409, 'POLICY_VERSION_CONFLICT', { current: data.versions[0].version });
  const page = (rows, key, url, fallback) => {
    const wanted = url.searchParams.get(key) ?? fallback;
    return { items: rows.filter((row) => wanted === undefined || row[key] === wanted), next: null };
  };
  const routes = [
    [
      /^GET policy$/,
      ({ response }) => {
        const [{ yaml, ...row }] = data.versions;
        json(response, 200, {
          version: row.version,
          policyVersion: `team-${row.version}+base-1`,
          yaml,
          document: { name: row.name, rules: RULES },
          info: row,
        });
      },
    ],
    [/^GET policy\/base$/, ({ response }) => json(response, 200, BASE)],
    [/^GET policy\/versions$/, ({ response }) => json(response, 200, { items: data.versions, next: null })],
    [/^GET policy\/versions\/(\d+)$/, ({ response, match }) => found(response, whole(data, Number(match[1])), 'POLICY_VERSION_NOT_FOUND')],
    [/^POST policy\/validate$/, ({ response, body }) => json(response, 200, check(data, body.yaml))],
    [/^POST policy\/replay$/, ({ response, body }) => json(response, 200, replayOf(body.days))],
    [/^POST policy\/versions$/, ({ response, body }) => guarded(response, body, () => save(body))],
    [
      /^POST policy\/versions\/(\d+)\/restore$/,
      ({ response, body, match }) =>
        guarded(response, body, () => save({ ...body, yaml: whole(data, Number(match[1])).yaml }, people.me, Number(match[1]))),
    ],
    [
      /^GET policy\/learned\/(.+)$/,
      ({ response, match }) =>
        json(response, 200, {
          planId: match[1],
          offers: [
            offer('exact', 'Exactly npm install --save-exact undici@7.16.0', 0),
            offer('subcommand', 'npm install', 2),
            offer('tool', 'npm', 3),
          ],
          refusal: null,
          current: data.versions[0].version,
        }),
    ],
    [/^POST policy\/learned\/(.+)$/, ({ response, body }) => guarded(response, body, () => save({ ...body, yaml: `${YAML}# learned\n` }))],
    [/^GET policy\/remembered$/, ({ response, url }) => json(response, 200, page(data.remembered, 'state', url))],
    [
      /^POST policy\/remembered\/(.+)\/revoke$/,
      ({ response, match }) => {
        const one = data.remembered.find((row) => row.id === match[1]);
        Object.assign(one, { state: 'revoked', endedAt: Date.now(), endedByName: people.me.name });
        emit({ type: 'remembered.changed', rememberedId: one.id, state: 'revoked' });
        json(response, 200, one);
      },
    ],
    [/^GET policy\/proposals$/, ({ response, url }) => json(response, 200, page(data.proposals, 'status', url))],
    [
      /^POST policy\/proposals\/([^/]+)\/(accept|dismiss)$/,
      ({ response, body, match }) => {
        const one = data.proposals.find((row) => row.id === match[1]);
        const isAccepted = match[2] === 'accept';
        if (isAccepted) save({ ...body, yaml: `${YAML}${one.rules}` });
        Object.assign(one, {
          status: isAccepted ? 'accepted' : 'dismissed',
          closedAt: Date.now(),
          closedBy: people.me.id,
          closedByName: people.me.name,
          closedReason: body.reason ?? null,
          version: isAccepted ? data.versions[0].version : null,
        });
        emit({ type: 'proposal.changed', proposalId: one.id, status: one.status });
        json(response, 200, one);
      },
    ],
    [/^POST policy\/proposals$/, ({ response }) => json(response, 201, data.proposals[0])],
  ];
  return { routes, save };
}
