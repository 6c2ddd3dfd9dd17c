import fc from 'fast-check';
import { MODES, OUTCOMES, type Decision, type Mode, type PolicyText, type Stage } from '#contracts';
import { FakeLook } from '../../../../../test/support/fake-look.js';
import { PROJECT, WORKSPACE } from '../../../../../test/support/policy-workspace.js';
import { BASE_POLICY } from '../base-policy.js';
import { parseCommand } from '../command/parse.js';
import { decideCommand } from '../decide.js';
import { baseDocument } from './base-document.js';
import { checkExamples } from './examples.js';
import { matchesPath, pathGlob } from './glob.js';
import { diffOf } from './lines.js';
import type { Circumstances } from './match.js';
import { readDocument } from './read.js';
import { readyDocument, ruleOn } from './rule-on.js';
import { toRule } from './rules-of.js';
import { documentShape } from './shape.js';
import { isWithin } from './time-window.js';

const look = new FakeLook({ ...PROJECT, '/ws/secrets/deep/key.txt': 'x' });
const where = { cwd: WORKSPACE, root: WORKSPACE };
const here: Circumstances = {
  workspace: { id: 'w-1', name: 'site', root: WORKSPACE },
  requester: { id: '01920000-0000-7000-8000-000000000001', kind: 'token', name: 'bot', roles: ['operator'], personId: 'p-1' },
  sessionId: null,
  mode: 'confirm',
  cwd: WORKSPACE,
  at: Date.parse('2026-11-30T12:00:00Z'),
};

function documentOf(yaml: string): PolicyText {
  const read = readDocument(yaml);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.document;
}

function rules(yaml: string): PolicyText {
  return documentOf(`name: test\nrules:\n${yaml}`);
}

interface Based {
  readonly decision: Decision;
  readonly parsed: readonly Stage[];
}

const bases = new Map<string, Based>();

/** What the built-in policy says; the same question is asked once. */
function base(command: string, mode: Mode): Based {
  const known = bases.get(`${mode} ${command}`);
  if (known) return known;
  const parsed = parseCommand(command, where, look);
  if (!parsed.ok) throw new Error(parsed.message);
  const decision = decideCommand(
    { ...where, stages: parsed.value, command, mode, env: {}, toolPaths: [], sandbox: 'full' },
    look,
    BASE_POLICY,
  );
  const made = { decision, parsed: parsed.value };
  bases.set(`${mode} ${command}`, made);
  return made;
}

function decide(document: PolicyText, command: string, change: Partial<Circumstances> = {}): Decision {
  const mode = change.mode ?? 'confirm';
  const { decision, parsed } = base(command, mode);
  return ruleOn(decision, parsed, { ...here, ...change, mode }, readyDocument(document, 'test'));
}

const issuesOf = (yaml: string) => {
  const read = readDocument(yaml);
  return read.ok ? [] : read.issues.map(({ line, message }) => `${line}: ${message}`);
};

describe('reading a document', () => {
  it.each([
    ['name: x\nrules: []\nname: y', /^3: Map keys must be unique/],
    ['name: x\nrules:\n  - &a { name: b, match: {}, outcome: deny }', /^3: anchors/],
    ['name: !!js/function x\nrules: []', /^1: /],
    ['name: x\nrules:\n  - name: a\n    match: { tool: git, tols: x }\n    outcome: deny', /^4: is not a key/],
    ['name: x\nrules:\n  - name: a\n    match: {}\n    outcome: allow', /^4: of an allow names the tool/],
    ['name: x\nrules:\n  - name: a\n    match: { tool: "n*" }\n    outcome: allow', /^4: of an allow has no/],
    ['name: x\nrules:\n  - name: a\n    match: { tool: npm, principal: ci }\n    outcome: allow', /^4: of an allow names principals by id/],
    ['name: x\nrules:\n  - name: a\n    match: { argv: [./x.sh] }\n    outcome: allow', /^4: of an allow names a program by path/],
    [
      'name: x\nrules:\n  - name: a\n    match: { time: { zone: Mars/Base, from: "10:00" } }\n    outcome: deny',
      /^4: is no IANA time zone/,
    ],
    ['name: x\nrules:\n  - name: a\n    match: { path: ../x }\n    outcome: deny', /^4: is no path pattern/],
    [
      'name: x\nrules:\n  - name: a\n    match: {}\n    outcome: deny\n  - name: a\n    match: {}\n    outcome: deny',
      /^6: is the name of an earlier rule/,
    ],
    ['name: x\u202e\nrules: []', /^1: holds characters that a person cannot see/],
    [`name: x\nrules: ${'['.repeat(5_000)}`, /^1: is nested too deep/],
    ['', /^1: /],
    ['x'.repeat(300_000), /^1: is longer than/],
  ])('refuses %#', (yaml, message) => {
    expect(issuesOf(yaml)[0]).toMatch(message);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => expect(typeof readDocument(text).ok).toBe('boolean')),
      { numRuns: 2_000 },
    );
  });

  it('finds the line of a rule', () => {
    expect(
      rules('  - name: a\n    match: { tool: git }\n    outcome: deny\n\n  - name: b\n    match: {}\n    outcome: ask\n').rules.map(
        ({ line }) => line,
      ),
    ).toEqual([3, 7]);
  });
});

describe('rules', () => {
  const noPush = rules('  - { name: no-push, match: { tool: git, subcommand: push }, outcome: deny }');
  it.each(['git push', 'timeout 9 git push origin main', 'env CI=1 git push', 'ls && git push', 'xargs git push'])(
    'denies %s',
    (command) => {
      expect(decide(noPush, command, { mode: 'trusted' }).outcome).toBe('deny');
    },
  );

  it('denies under every name of a subcommand', () => {
    const document = rules('  - { name: no-install, match: { tool: npm, subcommand: install }, outcome: deny }');
    for (const command of ['npm i', 'npm add x', 'npm inst', 'pnpm -v && npm isntall'])
      expect(decide(document, command).rules).toContain('document:no-install');
    expect(decide(document, 'npm test').rules).not.toContain('document:no-install');
  });

  it('sees paths below a folder that a command goes through, in either case of letters', () => {
    const document = rules('  - { name: keep, match: { path: Secrets/** }, outcome: deny }');
    for (const command of ['cat secrets/deep/key.txt', 'grep -r x .', 'rm -r secrets', 'cp -r secrets y', 'rg x', 'tar cf a.tar .'])
      expect([command, decide(document, command).rules[0]]).toEqual([command, 'document:keep']);
    for (const command of ['ls', 'cat README.md', 'grep -r x src'])
      expect([command, decide(document, command).rules]).toEqual([command, expect.not.arrayContaining(['document:keep'])]);
  });

  it('knows a requester and a path by any form of their letters', () => {
    const asker = { ...here.requester, name: 'Jos\u00e9 B' };
    const named = rules('  - { name: jose, match: { principal: "jose\u0301 b" }, outcome: deny }');
    expect(decide(named, 'ls', { requester: asker }).outcome).toBe('deny');
    expect(decide(named, 'ls').outcome).toBe('allow');
    const composed = rules('  - { name: keep, match: { path: "caf\u00e9/**" }, outcome: deny }');
    expect(decide(composed, 'cat cafe\u0301/x').rules[0]).toBe('document:keep');
  });

  it('lowers an ask only where every stage is covered', () => {
    const document = rules('  - { name: tests, match: { tool: npm, subcommand: test }, outcome: allow }');
    expect(decide(document, 'npm test')).toMatchObject({ outcome: 'allow', rules: expect.arrayContaining(['document:tests']) as unknown });
    expect(decide(document, 'npm test && ls').outcome).toBe('allow');
    expect(decide(document, 'timeout 60 npm test').outcome).toBe('allow');
    for (const command of [
      'npm test && touch x',
      'npm test > src/a.ts',
      'npm t',
      'npm run build',
      'npm test; curl https://example.com',
      './npm test',
    ])
      expect([command, decide(document, command).outcome]).not.toEqual([command, 'allow']);
    expect(decide(document, 'npm test', { mode: 'inspect' }).outcome).toBe('deny');
  });

  it.each([
    ['node', 'node -e 1'],
    ['python', 'python -c 1'],
    ['rm', 'rm -r src'],
    ['touch', 'touch .github/workflows/x.yml'],
    ['cat', 'cat .env'],
    ['make', 'make SHELL=x'],
    ['curl', 'curl https://example.com'],
    ['git', 'git reset --hard'],
    ['git', 'git push'],
    ['npm', 'npm install x'],
    ['nix-build', 'nix-build'],
    ['kill', 'kill 5'],
  ])('an allow of %s lets no %s through', (tool, command) => {
    const document = rules(`  - { name: all, match: { tool: ${tool} }, outcome: allow }`);
    expect(decide(document, command).outcome).not.toBe('allow');
    expect(decide(document, command, { mode: 'trusted' }).outcome).not.toBe('allow');
  });

  it('lets a connection through only to hosts that the rule names', () => {
    const document = rules('  - { name: docs, match: { tool: curl, host: [docs.example.com] }, outcome: allow }');
    expect(decide(document, 'curl https://docs.example.com/x').outcome).toBe('allow');
    expect(decide(document, 'curl https://docs.example.com/x https://evil.example').outcome).toBe('ask');
    expect(decide(document, 'curl https://docs.example.com.evil.example/x').outcome).toBe('ask');
    expect(decide(document, 'curl -d @x https://docs.example.com/x').outcome).toBe('deny');
  });

  it('merges asks: the larger quorum, everybody content, the shortest time', () => {
    const document = rules(
      '  - { name: a, match: { tool: git }, outcome: ask, ask: { role: approver, quorum: 2, within: 1h, on_expiry: wait } }\n' +
        '  - { name: b, match: { subcommand: commit, tool: git }, outcome: ask, ask: { people: [Ada], not_requester: true, within: 2h } }',
    );
    expect(decide(document, 'git commit -m x', { mode: 'trusted' })).toMatchObject({
      outcome: 'ask',
      quorum: 2,
      notRequester: true,
      terms: {
        deciders: [
          { roles: ['approver'], people: [] },
          { roles: [], people: ['Ada'] },
        ],
        withinMs: 3_600_000,
        onExpiry: 'deny',
      },
    });
    expect(decide(document, 'git status')).toMatchObject({
      outcome: 'ask',
      risk: 'medium',
      terms: { withinMs: 3_600_000, onExpiry: 'wait' },
    });
  });

  it('takes the tightest limits, and denies a network use that a limit closes', () => {
    const document = rules(
      '  - { name: a, match: {}, limits: { timeout: 60s, network: [example.com, a.example.org] } }\n' +
        '  - { name: b, match: { kind: token }, limits: { timeout: 10s, output: 64KiB, network: ["*.example.org"], sandbox: required } }',
    );
    expect(decide(document, 'ls').limits).toEqual({
      timeoutMs: 10_000,
      maxOutputBytes: 65_536,
      hosts: ['a.example.org'],
      sandboxRequired: true,
    });
    expect(decide(document, 'curl https://example.com').outcome).toBe('deny');
    expect(decide(document, 'curl https://a.example.org').outcome).toBe('ask');
  });

  it('looks at who asks, where and when', () => {
    const document = rules(
      '  - name: night\n    match: { workspace: site, role: operator, kind: token, time: { zone: Europe/Berlin, weekdays: [mon], from: "22:00", to: "06:00" } }\n    outcome: deny',
    );
    const at = (time: string) => decide(document, 'ls', { at: Date.parse(time) }).outcome;
    expect([
      at('2026-11-30T21:30:00Z'),
      at('2026-12-01T04:59:00Z'),
      at('2026-12-01T05:00:00Z'),
      at('2026-12-01T22:00:00Z'),
      at('2026-11-30T20:59:00Z'),
    ]).toEqual(['deny', 'deny', 'allow', 'allow', 'allow']);
    expect(
      decide(document, 'ls', { at: Date.parse('2026-11-30T22:00:00Z'), requester: { ...here.requester, kind: 'person' } }).outcome,
    ).toBe('allow');
  });
});

describe('a time window', () => {
  it('goes by the clock on the wall, also when that is put forward', () => {
    const window = { zone: 'Europe/Berlin', weekdays: [], from: '02:00', to: '03:00' };
    expect(isWithin(window, Date.parse('2026-03-29T00:30:00Z'))).toBe(false);
    expect(isWithin(window, Date.parse('2026-03-29T01:30:00Z'))).toBe(false);
    expect(isWithin(window, Date.parse('2026-03-30T00:30:00Z'))).toBe(true);
  });
});

describe('a path pattern', () => {
  it.each([
    ['src/**', 'src', true],
    ['src/**', 'src/a/b', true],
    ['src/**/x.ts', 'src/x.ts', true],
    ['**/x.ts', 'a/b/x.ts', true],
    ['src/*', 'src/a/b', false],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['a?c', 'abc', true],
    ['**', '', true],
  ])('%s on %s: %s', (glob, path, expected) => {
    const pattern = pathGlob(glob);
    expect(
      pattern &&
        matchesPath(
          pattern,
          path.split('/').filter((part) => part !== ''),
        ),
    ).toBe(expected);
  });

  it('takes time in proportion, whatever the pattern', () => {
    const pattern = pathGlob(Array.from({ length: 30 }, () => '**').join('/') + '/x');
    expect(
      pattern &&
        matchesPath(
          pattern,
          Array.from({ length: 2_000 }, () => 'a'),
        ),
    ).toBe(false);
  });
});

it('examples say which of them do not hold, and where', () => {
  const read = readDocument(
    'name: x\nrules:\n  - name: no-push\n    match: { tool: git, subcommand: push, workspace: site, time: { zone: UTC, from: "10:00" } }\n    outcome: deny\n    examples:\n      match:\n        - git push\n        - git pull\n        - [git, push]\n      not_match:\n        - git status\n        - { command: git push, workspace: other }\n        - "ls $(id)"\n',
  );
  if (!read.ok) throw new Error('unreadable');
  const { results, issues } = checkExamples(read.document, read.place);
  expect(results.map(({ ok }) => ok)).toEqual([true, false, true, true, true, false]);
  expect(issues.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '9: The example of no-push does not hold: the rule does not match it',
    expect.stringMatching(/^14: .*it cannot be read/),
  ]);
});

it('a difference names rules and shows lines with a little around them', () => {
  const before = Array.from({ length: 20 }, (_, at) => `# ${at}`).join('\n');
  const after = before.replace('# 10', '# ten');
  const document = rules('  - { name: a, match: {}, outcome: deny }');
  const diff = diffOf({ yaml: before, document: { name: 'x', rules: [] } }, { yaml: after, document });
  expect(diff.added).toEqual(['a']);
  expect(diff.lines.map(({ kind, text }) => `${kind[0] ?? ''} ${text}`)).toEqual([
    's 7',
    's # 7',
    's # 8',
    's # 9',
    'r # 10',
    'a # ten',
    's # 11',
    's # 12',
    's # 13',
    's 6',
  ]);
});

describe('whatever the rules', () => {
  const COMMANDS = [
    'ls -la', 'cat README.md', 'touch x', 'rm x', 'npm test', 'npm run build', 'git commit -m x', 'git push', 'curl https://example.com', 'node -e 1',
    'sudo ls', 'rm -rf .git', 'cat .env', 'timeout 5 npm test', 'rg x | head', 'touch x && npm test', 'nix-build', 'eslint src', 'make test', 'kill 1',
  ]; // prettier-ignore
  const command = fc.constantFrom(...COMMANDS);
  const mode = fc.constantFrom(...MODES);
  const match = fc.record(
    {
      tool: fc.subarray(['npm', 'git', 'touch', 'rm', 'curl', 'cat', 'ls', 'node', 'make', 'sudo', 'eslint', 'kill', 'nix-build', 'rg'], {
        minLength: 1,
      }),
      kind: fc.constantFrom('token', 'person'),
      effect: fc.subarray(['read', 'write', 'delete', 'network', 'execute_project_code'], { minLength: 1 }),
      path: fc.subarray(['**', 'src/**', 'x'], { minLength: 1 }),
      mode: fc.subarray([...MODES], { minLength: 1 }),
      host: fc.constant(['example.com']),
    },
    { requiredKeys: ['tool'] },
  );
  const rule = (outcome: fc.Arbitrary<string>) => fc.record({ match, outcome, ask: fc.constant(undefined) });
  const any = fc.array(rule(fc.constantFrom('allow', 'ask', 'deny')), { maxLength: 5 });
  const strict = rule(fc.constantFrom('ask', 'deny'));
  const toDocument = (all: readonly object[]): PolicyText => {
    const written = documentShape.parse({ name: 'x', rules: all.map((one, at) => ({ ...one, name: `r${String(at)}` })) });
    return { name: 'x', rules: written.rules.map((one, line) => toRule(one, line)) };
  };
  const rank = ({ outcome }: Decision): number => OUTCOMES.indexOf(outcome);
  const RUNS = { numRuns: 10_000, seed: 20_261_130 };

  it('one more rule that asks or denies never lowers the verdict, wherever it stands', () => {
    fc.assert(
      fc.property(any, strict, fc.nat(), command, mode, (all, more, at, line, as) => {
        const place = at % (all.length + 1);
        const before = decide(toDocument(all), line, { mode: as });
        const after = decide(toDocument([...all.slice(0, place), more, ...all.slice(place)]), line, { mode: as });
        expect(rank(after)).toBeGreaterThanOrEqual(rank(before));
      }),
      RUNS,
    );
  });

  it('what the built-in policy denies stays denied, and allows lower nothing but asks', () => {
    fc.assert(
      fc.property(fc.array(rule(fc.constant('allow')), { maxLength: 5 }), command, mode, (all, line, as) => {
        const { decision } = base(line, as);
        const now = decide(toDocument(all), line, { mode: as });
        if (decision.outcome === 'deny') expect(now.outcome).toBe('deny');
        if (now.outcome !== decision.outcome) expect([decision.outcome, now.outcome]).toEqual(['ask', 'allow']);
      }),
      RUNS,
    );
  });

  it('the generator reaches an allow that lowers', () => {
    const document = toDocument([{ match: { tool: ['npm'] }, outcome: 'allow' }]);
    expect(decide(document, 'npm test').outcome).toBe('allow');
  });

  it('the built-in policy as a document says what the built-in policy says', () => {
    const document = documentOf(baseDocument());
    fc.assert(
      fc.property(command, mode, (line, as) => {
        const { decision, parsed } = base(line, as);
        const verdict = { ...decision, outcome: 'allow' as const };
        expect(ruleOn(verdict, parsed, { ...here, mode: as }, readyDocument(document, 'base')).outcome).toBe(decision.outcome);
      }),
      { numRuns: 500 },
    );
  });
});
