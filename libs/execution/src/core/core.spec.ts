import fc from 'fast-check';
import { MODES, type Decision, type Stage, type WorkspaceId } from '#contracts';
import { BASE_POLICY, decideCommand, familyOf, NOTHING, readDocument, readyDocument, ruleOn } from '#policy/core';
import { aDecision, aPin, aPlan, aPrincipal, aStage, NOBODY, the } from '../../../../test/support/plans.js';
import { askTitle } from './ask-title.js';
import { commandText, commandWords, summaryOf } from './command-text.js';
import { checkWords } from './command-words.js';
import { withExecutables } from './executable-findings.js';
import { boundedLimits } from './limits.js';
import { mayActOn, maySeeWorkOf } from './may-act.js';
import { stricterMode } from './modes.js';
import { credentialFolders, isInside } from './paths.js';
import { planDigest } from './plan-digest.js';
import { runEnv } from './run-env.js';
import { isSameFile } from './same-file.js';
import { reachOf } from './sandbox-wish.js';
import { stricterNow } from './stricter.js';
import { withTerminal } from './terminal-grant.js';

describe('stricterMode', () => {
  it('is never more permissive than either', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODES), fc.constantFrom(...MODES), (one, other) => {
        const result = MODES.indexOf(stricterMode(one, other));
        expect(result).toBe(Math.min(MODES.indexOf(one), MODES.indexOf(other)));
      }),
    );
  });
});

describe('planDigest', () => {
  it('does not depend on the order of names, and changes with any word of the command', () => {
    const plan = aPlan();
    const turned = { ...plan, body: Object.fromEntries(Object.entries(plan.body).reverse()) as unknown as typeof plan.body };
    expect(planDigest(turned)).toBe(planDigest(plan));
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (argv) => {
        fc.pre(argv.join('\0') !== 'ls');
        expect(planDigest({ ...plan, body: { ...plan.body, stages: [aStage(...argv)] } })).not.toBe(planDigest(plan));
      }),
    );
  });
});

describe('boundedLimits', () => {
  const defaults = { timeoutMs: 120_000, maxOutputBytes: 1_048_576 };
  it.each([
    [{}, defaults],
    [{ timeoutMs: 3_600_000 }, { ...defaults, timeoutMs: 3_600_000 }],
    [{ maxOutputBytes: 1_024 }, { ...defaults, maxOutputBytes: 1_024 }],
    [{ timeoutMs: 3_600_001 }, 'timeoutMs'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: 1.5e3 + 0.5 }, 'timeoutMs'],
    [{ maxOutputBytes: 1_048_577 }, 'maxOutputBytes'],
    [{ maxOutputBytes: Number.NaN }, 'maxOutputBytes'],
  ])('%j gives %j', (wished, expected) => {
    const result = boundedLimits(wished, defaults);
    expect(result.ok ? result.value : result.details['limit']).toEqual(expected);
  });
});

describe('environment', () => {
  it('fixes PATH and git, whatever the plan says', () => {
    const workspace = { root: '/srv/site', toolPaths: ['/opt/go/bin'], gitIdentity: { name: 'Ada', email: 'ada@example.org' } };
    const env = runEnv(workspace, { TZ: 'UTC', PATH: '/evil', GIT_CONFIG_GLOBAL: '/evil' });
    expect(env['PATH']).toBe('/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/go/bin');
    expect(env).toMatchObject({
      GIT_CONFIG_GLOBAL: '/dev/null',
      TZ: 'UTC',
      TERM: 'dumb',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    });
    expect(Object.keys(env)).not.toContain('HOME');
  });
});

describe('commands as text', () => {
  it.each([
    [['ls', '-la'], 'ls -la'],
    [['echo', "it's"], `echo 'it'\\''s'`],
    [['echo', '', 'a b'], `echo '' 'a b'`],
    [['rm', '|', '&&'], `rm '|' '&&'`],
  ])('%j reads %s', (argv, text) => {
    expect(commandText({ command: null, stages: [aStage(...argv)] })).toBe(text);
  });

  it('joins the stages of a pipeline', () => {
    const stages = [aStage('rg', 'x'), { join: 'pipe' as const, argv: ['head'], redirects: [] }];
    expect(commandWords(stages)).toEqual(['rg', 'x', '|', 'head']);
    expect(commandText({ command: null, stages })).toBe('rg x | head');
    expect(commandText({ command: 'rg x|head', stages })).toBe('rg x|head');
  });

  it('shows what would hide, and cuts by characters', () => {
    expect(summaryOf({ command: 'rm \u202egpj.exe\n\u001b[2J', stages: [] })).toBe('rm \\u202egpj.exe\\n\\u001b[2J');
    expect(summaryOf({ command: '😀'.repeat(200), stages: [] }, 10)).toBe(`${'😀'.repeat(9)}…`);
  });

  it.each([[[]], [['']], [['ls', 'a\0b']], [['ls', '\ud800']]])('refuses %j, which no program can receive', (argv) => {
    expect(checkWords([{ argv }])).toMatchObject({ ok: false, code: 'COMMAND_INVALID' });
  });
});

describe('asks', () => {
  const effects = (...list: Decision['stages'][number]['effects']) =>
    aDecision({ stages: [{ ...the(aDecision().stages[0]), effects: list }] });
  it.each([
    [effects('read', 'write'), 'Write files'],
    [effects('write', 'network'), 'Use the network'],
    [effects('write', 'delete'), 'Delete files'],
    [effects('execute_project_code'), 'Run project code'],
    [effects(), 'Run a command'],
    [aDecision({ stages: [{ ...the(aDecision().stages[0]), understood: false }] }), 'Run a command that is not fully understood'],
  ])('are titled by facts', (decision, title) => {
    expect(askTitle(decision)).toBe(title);
  });
});

describe('stricterNow', () => {
  const found = (...rules: string[]) =>
    aDecision({ outcome: 'ask', risk: 'high', rules, reasons: rules.map((rule) => `because of ${rule}`) });
  const touching = (...targets: string[]) =>
    aDecision({
      outcome: 'ask',
      risk: 'medium',
      stages: [
        {
          ...the(aDecision().stages[0]),
          touches: targets.map((target) => ({ kind: 'path' as const, target, role: 'write' as const, note: target })),
        },
      ],
    });

  it.each([
    [aDecision(), aDecision(), []],
    [aDecision(), aDecision({ policyVersion: 'base-2', rules: ['other'] }), []],
    [aDecision(), aDecision({ outcome: 'ask' }), ['decision']],
    [aDecision({ outcome: 'ask' }), aDecision({ outcome: 'deny', risk: 'blocked' }), ['decision', 'risk']],
    [aDecision({ outcome: 'ask' }), aDecision({ outcome: 'allow' }), []],
    [aDecision({ outcome: 'ask' }), aDecision({ outcome: 'ask', quorum: 2 }), ['quorum']],
    [aDecision({ outcome: 'ask' }), aDecision({ outcome: 'ask', notRequester: true }), ['not_requester']],
    [touching('/srv/a'), touching('/srv/b'), ['touches']],
    [found('packages.install'), found('packages.install', 'project.settings'), ['findings']],
    [found('packages.install', 'project.settings'), found('packages.install'), []],
    [found('git.work'), found('git.work', 'git.hooks', 'read.only'), []],
    [touching('/srv/a', '/srv/b'), touching('/srv/b', '/srv/a'), []],
  ])('case %#', (then, now, changes) => {
    expect(stricterNow(then, now)).toEqual(changes);
  });
});

describe('executables', () => {
  it('names a missing tool and leaves the decision as it is', () => {
    const decision = withExecutables(aDecision(), [aStage('nix')], [undefined]);
    expect(decision).toMatchObject({ outcome: 'allow', rules: ['read.only', 'executable.missing'] });
    expect(decision.reasons).toHaveLength(decision.rules.length);
  });

  it('denies a text file that only a shell could run', () => {
    expect(withExecutables(aDecision({ outcome: 'ask' }), [aStage('./x')], [{ isProgram: false }])).toMatchObject({
      outcome: 'deny',
      risk: 'blocked',
      rules: ['read.only', 'executable.format'],
    });
  });
});

describe('a command that a document may speak of', () => {
  const where = { root: '/ws', cwd: '/ws' };
  const stages: readonly Stage[] = [aStage('touch', 'x')];
  const question = { ...where, stages, command: null, mode: 'confirm', env: {}, toolPaths: [], sandbox: 'full' } as const;
  const plain = decideCommand(question, NOTHING, BASE_POLICY);
  const read = readDocument('name: x\nrules:\n  - { name: free, match: { tool: touch }, outcome: allow }');
  const circumstances = {
    workspace: { id: 'w', name: 'site', root: '/ws' },
    requester: { id: 'p', kind: 'token', name: 'bot', roles: [], personId: null },
    sessionId: null,
    mode: 'confirm',
    cwd: '/ws',
    at: 0,
  } as const;
  const ruled = (decision: Decision) => read.ok && ruleOn(decision, stages, circumstances, readyDocument(read.document, 'x')).outcome;

  it('is not covered by what was remembered before a rule of the team spoke of it', () => {
    const familyWith = (rules: readonly string[]) => familyOf(aPlan({ decision: { ...plain, rules: [...rules, ...plain.rules] } }));
    expect(familyWith(['document:look'])).toHaveProperty('family');
    expect(familyWith(['document:look'])).not.toEqual(familyWith([]));
  });

  it('asks a person when it has a terminal, whatever a document allows', () => {
    expect([ruled(plain), ruled(withTerminal(plain, 'confirm'))]).toEqual(['allow', 'ask']);
  });

  it('is not covered with a terminal by what was remembered without one', () => {
    expect(familyOf(aPlan({ decision: plain }))).toHaveProperty('family');
    expect(familyOf(aPlan({ decision: withTerminal(plain, 'confirm') }))).toHaveProperty('refusal');
  });
});

describe('what a run may reach', () => {
  const stage = the(aDecision().stages[0]);
  const reading = { workspaceWritable: false, gitWritable: false, network: 'none', analysed: true, unprotected: [] };
  it.each([
    [stage, 'ls', reading],
    [{ ...stage, effects: ['write'] as const }, 'touch a', { ...reading, workspaceWritable: true }],
    [{ ...stage, effects: ['write'] as const }, 'git commit -m x', { ...reading, workspaceWritable: true, gitWritable: true }],
    [{ ...stage }, 'git status', reading],
    [{ ...stage, effects: ['network'] as const }, 'curl', reading],
    [{ ...stage, effects: ['execute_project_code'] as const }, 'make', { ...reading, workspaceWritable: true, analysed: false }],
    [{ ...stage, understood: false }, 'odd', { ...reading, workspaceWritable: true, analysed: false }],
  ])('follows from its analysis (%#)', (facts, words, reach) => {
    expect(reachOf({ stages: [facts], outcome: 'allow' }, [aStage(...words.split(' '))], [])).toEqual(reach);
  });

  it('opens a protected path only when a person has approved a plan that names it', () => {
    const touches = [
      { kind: 'path', target: '/srv/site/.npmrc', role: 'write', note: '' },
      { kind: 'path', target: '/srv/site/a', role: 'read', note: '' },
    ] as const;
    expect(reachOf({ stages: [{ ...stage, touches }], outcome: 'ask' }, [], []).unprotected).toEqual(['/srv/site/.npmrc']);
    expect(reachOf({ stages: [{ ...stage, touches }], outcome: 'allow' }, [], []).unprotected).toEqual([]);
  });
});

describe('files and paths', () => {
  it.each([
    ['/srv/site', '/srv/site', true],
    ['/srv/site/a', '/srv/site', true],
    ['/srv/site/..a', '/srv/site', true],
    ['/srv/site2', '/srv/site', false],
    ['/srv', '/srv/site', false],
    ['/etc', '/', true],
  ])('%s in %s: %s', (path, folder, expected) => {
    expect(isInside(path, folder)).toBe(expected);
  });

  it('takes a file for the same by content where it has a digest, else by identity', () => {
    expect(isSameFile(aPin(), aPin())).toBe(true);
    expect(isSameFile(aPin(), aPin({ ctimeMs: 6 }))).toBe(false);
    expect(isSameFile(aPin(), undefined)).toBe(false);
    expect(isSameFile(aPin({ sha256: 'a' }), aPin({ sha256: 'a', ino: 9, mtimeMs: 9 }))).toBe(true);
    expect(isSameFile(aPin({ sha256: 'a' }), aPin({ sha256: 'b' }))).toBe(false);
  });

  it('hides the credentials of the account', () => {
    expect(credentialFolders('/home/ada')).toEqual(
      expect.arrayContaining(['/home/ada/.ssh', '/home/ada/.aws', '/home/ada/.netrc', '/home/ada/.pgpass']),
    );
  });
});

describe('who may', () => {
  const [HERE, THERE] = ['here', 'there'] as unknown as readonly [WorkspaceId, WorkspaceId];
  const operator = ['terminal:plan', 'terminal:execute'] as const;
  const other = 'other' as typeof NOBODY;
  it.each([
    [aPrincipal(), NOBODY, true, true],
    [aPrincipal(), other, false, false],
    [aPrincipal({ scopes: ['approvals:decide', 'terminal:execute'] }), other, true, false],
    [aPrincipal({ scopes: ['admin'] }), other, true, true],
    [aPrincipal({ kind: 'person', scopes: ['receipts:read'] }), other, true, false],
    [aPrincipal({ kind: 'person', scopes: ['terminal:execute'] }), other, true, true],
    [aPrincipal({ kind: 'person', scopes: [], workspaceScopes: { [HERE]: operator } }), other, true, true],
    [aPrincipal({ kind: 'person', scopes: [], workspaceScopes: { [THERE]: operator } }), other, false, false],
    [aPrincipal({ kind: 'person', scopes: [], workspaceScopes: { [THERE]: operator } }), NOBODY, true, false],
    [aPrincipal({ scopes: [], workspaceScopes: { [HERE]: operator } }), NOBODY, true, true],
    [aPrincipal({ scopes: [], workspaceScopes: { [HERE]: operator } }), other, false, false],
    [aPrincipal({ scopes: [], workspaceScopes: { [HERE]: ['approvals:decide'] } }), other, true, false],
  ])('case %#', (principal, owner, sees, acts) => {
    const work = { owner, workspaceId: HERE };
    expect([maySeeWorkOf(principal, work), mayActOn(principal, work, 'terminal:execute')]).toEqual([sees, acts]);
  });
});
