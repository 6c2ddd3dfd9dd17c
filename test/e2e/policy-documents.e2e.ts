import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type {
  Ask,
  LearnedOffers,
  Page,
  Plan,
  PolicyCheck,
  PolicyInForce,
  PolicyProposal,
  PolicyVersion,
  ReceiptFile,
  RememberedApproval,
  ReplayResult,
  Run,
  WireError,
} from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import { databases, type ProductDatabase } from '../support/engines.js';
import { PASSWORD } from '../support/flow.js';
import { cli, temporaryFolder } from '../support/server.mjs';

jest.setTimeout(60_000);

const FIRST = `name: First rules
rules:
  - name: no-push
    match: { tool: git, subcommand: push }
    outcome: deny
    reason: Releases go through CI.
    examples:
      match: [git push, timeout 9 git push]
      not_match: [git status]
`;

describe.each(databases)('policy on %s', (_engine, open) => {
  let api: Booted;
  let owner: ConsoleClient;
  let database: ProductDatabase;
  beforeAll(async () => {
    database = await open();
    api = await boot({ env: database.env });
    owner = await api.owner();
  });
  afterAll(async () => {
    await api.close();
    await database.remove();
  });

  const status = async (method: string, path: string, body?: unknown): Promise<number> => (await owner.request(method, path, body)).status;

  async function current(): Promise<PolicyInForce> {
    return (await owner.get('/api/policy')) as PolicyInForce;
  }

  async function save(yaml: string, previous: number, note = 'test'): Promise<PolicyVersion> {
    return (await owner.post('/api/policy/versions', { yaml, previous, note })) as PolicyVersion;
  }

  const json = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

  async function asAgent(path: string, body: object): Promise<unknown> {
    return (await api.fetch(path, { method: 'POST', headers: json(api.agentToken), body: JSON.stringify(body) })).json();
  }

  async function plan(argv: readonly string[]): Promise<Plan> {
    return (await asAgent('/api/plans', { argv })) as Plan;
  }

  async function approve({ askId, digest }: Plan, more: object = {}): Promise<void> {
    await owner.post(`/api/asks/${askId ?? ''}/votes`, { answer: 'approve', digest, ...more });
  }

  describe('policy documents over REST', () => {
    it('begins with version 0, saves on top of what the author saw, and refuses a conflict', async () => {
      expect(await current()).toMatchObject({ version: 0, policyVersion: 'base-1', info: null });
      expect(await save(FIRST, 0)).toMatchObject({ version: 1, name: 'First rules', rules: 1, diff: { added: ['no-push'] } });
      expect(await current()).toMatchObject({ version: 1, policyVersion: 'team-1+base-1' });
      const answer = await owner.request('POST', '/api/policy/versions', { yaml: FIRST, previous: 0, note: 'late' });
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ error: { code: 'POLICY_VERSION_CONFLICT', details: { current: 1 } } });
      expect(await status('GET', '/api/policy/versions/7')).toBe(404);
    });

    it('says line and column of what is wrong', async () => {
      const check = (await owner.post('/api/policy/validate', {
        yaml: 'name: x\nrules:\n  - name: a\n    match: { tool: git }\n    outcom: deny\n',
      })) as PolicyCheck;
      expect(check).toMatchObject({ ok: false, issues: [{ line: 5, column: 5, path: 'rules.0.outcom' }] });
    });

    it('brings an older version back as a new one and leaves a receipt', async () => {
      const { version } = await current();
      await save('name: Nothing\nrules: []\n', version);
      const restored = (await owner.post(`/api/policy/versions/1/restore`, { previous: version + 1, note: 'back' })) as PolicyVersion;
      expect(restored).toMatchObject({ version: version + 2, restoredFrom: 1, yaml: FIRST });
      const receipts = (await owner.get('/api/receipts?limit=1')) as { items: { summary: string }[] };
      expect(receipts.items[0]?.summary).toContain(`saved version ${version + 2} of the policy document`);
    });

    it('shows the built-in policy as a document of its own language', async () => {
      expect(await owner.get('/api/policy/base')).toMatchObject({
        policyVersion: 'base-1',
        document: { rules: expect.arrayContaining([]) as unknown },
      });
    });

    it('lets no agent read or change it', async () => {
      const headers = { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' };
      expect((await api.fetch('/api/policy', { headers })).status).toBe(403);
      const body = JSON.stringify({ yaml: FIRST, previous: 3, note: 'mine' });
      expect((await api.fetch('/api/policy/versions', { method: 'POST', headers, body })).status).toBe(403);
    });

    it('lets one of many that save on top of the same version win, and tells the others which is in force', async () => {
      const { version } = await current();
      const tries = ['A', 'B', 'C', 'D'].map((name) => {
        const yaml = `name: ${name}\nrules: []\n`;
        return owner.request('POST', '/api/policy/versions', { yaml, previous: version, note: 'at once' });
      });
      const answers = await Promise.all(tries);
      expect(answers.map(({ status: code }) => code).sort()).toEqual([201, 409, 409, 409]);
      for (const answer of answers.filter(({ ok }) => !ok)) {
        expect(await answer.json()).toMatchObject({ error: { code: 'POLICY_VERSION_CONFLICT', details: { current: version + 1 } } });
      }
      expect((await current()).version).toBe(version + 1);
    });

    it('saves nothing whose example does not hold, and names its line', async () => {
      const before = await current();
      const wrong = FIRST.replace('not_match: [git status]', 'not_match: [git push --dry-run]');
      const answer = await owner.request('POST', '/api/policy/versions', { yaml: wrong, previous: before.version, note: 'wrong' });
      expect(answer.status).toBe(400);
      const line = wrong.split('\n').findIndex((text) => text.includes('not_match')) + 1;
      expect(await answer.json()).toMatchObject({
        error: {
          code: 'POLICY_INVALID',
          details: { issues: [{ line, path: 'rules.0.examples.not_match.0', message: expect.any(String) as unknown }] },
        },
      });
      expect(await owner.post('/api/policy/validate', { yaml: wrong })).toMatchObject({ ok: false, issues: [{ line }] });
      expect(await current()).toEqual(before);
    });

    it('lets a person who is no administrator read, and never change or restore it', async () => {
      await owner.post('/api/people', { name: 'Grace', password: PASSWORD, roles: ['approver', 'operator'] });
      const grace = new ConsoleClient(api.url);
      await grace.login('Grace', PASSWORD);
      const before = await current();
      expect(await grace.get('/api/policy')).toEqual(before);
      const { version: previous } = before;
      for (const [path, body] of [
        ['versions', { yaml: FIRST, previous, note: 'mine' }],
        ['versions/1/restore', { previous, note: 'mine' }],
      ] as const) {
        const answer = await grace.request('POST', `/api/policy/${path}`, body);
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          403,
          { error: expect.objectContaining({ code: 'SCOPE_MISSING', details: { scope: 'admin' } }) as unknown },
        ]);
      }
      expect(await current()).toEqual(before);
    });
  });

  describe('what a draft would change, and what is learned', () => {
    const MORE = 'name: Tests\nrules:\n  - name: touching\n    match: { tool: touch }\n    outcome: deny\n';

    it('replays a draft over the plans that were made, and explains by it', async () => {
      await plan(['touch', 'a']);
      await plan(['ls']);
      const replay = (await owner.post('/api/policy/replay', { yaml: MORE })) as ReplayResult;
      expect(replay).toMatchObject({
        skipped: 0,
        looser: 0,
        stricter: 1,
        changes: [{ command: 'touch a', was: 'ask', wouldBe: 'deny', rules: ['document:touching'] }],
      });
      expect(await owner.post('/api/policy/explain', { argv: ['touch', 'x'], yaml: MORE })).toMatchObject({
        outcome: 'deny',
        base: { outcome: 'ask' },
      });
      const headers = json(api.agentToken);
      expect((await api.fetch('/api/policy/replay', { method: 'POST', headers, body: JSON.stringify({ yaml: MORE }) })).status).toBe(403);
    });

    it('offers rules of an approved plan, takes one as a version, and then needs nobody', async () => {
      const made = await plan(['touch', 'notes.txt']);
      expect(await owner.get(`/api/policy/learned/${made.id}`)).toMatchObject({ offers: [], refusal: 'Nobody has approved this plan' });
      await approve(made);
      const { offers, current: previous } = (await owner.get(`/api/policy/learned/${made.id}`)) as LearnedOffers;
      expect(offers.map(({ kind }) => kind)).toEqual(['exact', 'tool']);
      expect(offers[0]?.replay).toMatchObject({ stricter: 0, terms: 0 });
      const saved = (await owner.post(`/api/policy/learned/${made.id}`, { kind: 'exact', previous, note: 'often' })) as PolicyVersion;
      expect(saved.diff.added).toHaveLength(1);
      expect(await plan(['touch', 'notes.txt'])).toMatchObject({
        status: 'approved',
        askId: null,
        pins: { policyVersion: `team-${previous + 1}+base-1` },
      });
      expect(await plan(['touch', 'other.txt'])).toMatchObject({ status: 'awaiting_approval' });
    });

    it('lets an agent propose, never more; a person takes it in or dismisses it', async () => {
      const made = await plan(['mkdir', 'out']);
      await approve(made);
      const headers = json(api.agentToken);
      const propose = async (body: object) => {
        const answer = await api.fetch('/api/policy/proposals', { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: answer.status, body: (await answer.json()) as PolicyProposal };
      };
      const first = await propose({ planId: made.id, kind: 'tool', note: 'I make folders a lot' });
      expect(first).toMatchObject({ status: 201, body: { status: 'open', byKind: 'token' } });
      expect((await propose({ rules: '- { name: x, match: {}, outcome: allow }', note: 'all' })).status).toBe(400);
      const body = JSON.stringify({ previous: 0, note: 'x' });
      expect((await api.fetch(`/api/policy/proposals/${first.body.id}/accept`, { method: 'POST', headers, body })).status).toBe(403);
      const { version } = await current();
      const accepted = (await owner.post(`/api/policy/proposals/${first.body.id}/accept`, {
        previous: version,
        note: 'fine',
      })) as PolicyProposal;
      expect(accepted).toMatchObject({ status: 'accepted', version: version + 1 });
      expect(await status('POST', `/api/policy/proposals/${first.body.id}/dismiss`, {})).toBe(409);
      expect(await plan(['mkdir', 'out2'])).toMatchObject({ status: 'approved' });
    });

    it('learns nothing from what is weighed each time', async () => {
      for (const argv of [['rm', 'x'], ['node', '-e', '1'], ['nix-build']]) {
        const made = await plan(argv);
        await approve(made);
        expect([argv, await owner.get(`/api/policy/learned/${made.id}`)]).toEqual([argv, expect.objectContaining({ offers: [] })]);
      }
    });
  });

  describe('remembered approvals', () => {
    const list = async () => ((await owner.get('/api/policy/remembered?state=active')) as Page<RememberedApproval>).items;
    const askOf = async ({ askId }: Plan) => (await owner.get(`/api/asks/${askId ?? ''}`)) as Ask;

    it('answer the same family in the same session, say so in plan and receipt, and end at once when revoked', async () => {
      const first = await plan(['cp', 'README.md', 'one.txt']);
      expect(await askOf(first)).toMatchObject({ status: 'open', remembers: { covers: expect.stringContaining('cp') as unknown } });
      await approve(first, { remember: 'session' });
      const second = await plan(['cp', 'README.md', 'two.txt']);
      expect(second.status).toBe('approved');
      const [approval] = await list();
      expect(approval).toMatchObject({ byName: 'owner', uses: 1, state: 'active', sessionId: second.sessionId });
      expect((await askOf(second)).votes).toMatchObject([
        { channel: 'remembered', byName: 'owner', digest: second.digest, rememberedId: approval?.id },
      ]);
      const run = (await asAgent(`/api/plans/${second.id}/execute`, {})) as { readonly id: string };
      const ended = await eventually(async () => ((await owner.get(`/api/runs/${run.id}`)) as Run).receiptId);
      const { evidence } = (await owner.get(`/api/receipts/${ended}`)) as ReceiptFile;
      expect(evidence.approvals).toMatchObject([
        { channel: 'remembered', name: 'owner', reason: expect.stringContaining('Remembered for this session') as unknown },
      ]);

      for (const argv of [
        ['cp', '-f', 'README.md', 'three.txt'],
        ['cp', 'README.md', 'sub/three.txt'],
        ['touch', 'three.txt'],
      ])
        expect([argv, (await plan(argv)).status]).toEqual([argv, 'awaiting_approval']);

      const third = await plan(['cp', 'README.md', 'four.txt']);
      expect(third.status).toBe('approved');
      expect(await owner.post(`/api/policy/remembered/${approval?.id ?? ''}/revoke`)).toMatchObject({
        state: 'revoked',
        endedByName: 'owner',
      });
      expect(await asAgent(`/api/plans/${third.id}/execute`, {})).toMatchObject({
        error: { code: 'PLAN_STALE', details: { changed: ['remembered_approval'] } },
      });
      expect((await plan(['cp', 'README.md', 'five.txt'])).status).toBe('awaiting_approval');
    });

    it('are not made of what is weighed each time, nor by a program; then nothing is decided', async () => {
      const removing = await plan(['rm', 'one.txt']);
      const answer = await owner.request('POST', `/api/asks/${removing.askId ?? ''}/votes`, {
        answer: 'approve',
        digest: removing.digest,
        remember: 'session',
      });
      expect([answer.status, ((await answer.json()) as { error: WireError }).error.code]).toEqual([409, 'REMEMBER_REFUSED']);
      expect(await askOf(removing)).toMatchObject({ status: 'open', votes: [] });
    });

    it('end with their session', async () => {
      const made = await plan(['cp', 'README.md', 'six.txt']);
      await approve(made, { remember: 'session' });
      expect(await list()).toHaveLength(1);
      await owner.post(`/api/sessions/${made.sessionId}/close`);
      expect(await list()).toEqual([]);
      expect((await plan(['cp', 'README.md', 'seven.txt'])).status).toBe('awaiting_approval');
    });
  });

  describe('the document at the claim', () => {
    it('that has become stricter makes an approved plan stale, and says by what; one that still allows does not', async () => {
      const made = await plan(['cp', 'README.md', 'eight.txt']);
      const other = await plan(['cp', 'README.md', 'nine.txt']);
      await approve(made);
      await approve(other);
      const { version } = await current();
      await save('name: calm\nrules: []\n', version);
      expect(await asAgent(`/api/plans/${other.id}/execute`, {})).toMatchObject({ planId: other.id });
      await save('name: strict\nrules:\n  - { name: no-copies, match: { tool: cp }, outcome: deny }\n', version + 1);
      expect(await asAgent(`/api/plans/${made.id}/execute`, {})).toMatchObject({
        error: {
          code: 'PLAN_STALE',
          details: { changed: expect.arrayContaining([`policy:team-${version + 2}+base-1`, 'decision']) as unknown },
        },
      });
    });

    it('says who may decide, how many and within what time, and sets limits', async () => {
      const { version } = await current();
      await save(
        'name: two\nrules:\n  - { name: two, match: { tool: mkdir }, outcome: ask, ask: { role: viewer, quorum: 2, within: 10m, on_expiry: deny }, limits: { timeout: 5s } }\n',
        version,
      );
      const made = await plan(['mkdir', 'z']);
      expect(made).toMatchObject({ body: { limits: { timeoutMs: 5_000 } }, decision: { quorum: 2 } });
      expect(made.expiresAt - made.createdAt).toBe(600_000);
      const answer = await owner.request('POST', `/api/asks/${made.askId ?? ''}/votes`, { answer: 'approve', digest: made.digest });
      expect(answer.status).toBe(403);
      expect(await asAgent('/api/plans', { argv: ['mkdir', 'y'], limits: { timeoutMs: 60_000 } })).toMatchObject({
        error: { code: 'LIMITS_INVALID', details: { max: 5_000 } },
      });
      await save('name: open\nrules: []\n', version + 1);
    });
  });
});

describe('a document on the command line, without a server', () => {
  let folder: string;
  beforeAll(() => {
    folder = temporaryFolder();
    file('first.yaml', FIRST);
    file('wrong.yaml', FIRST.replace('not_match: [git status]', 'not_match: [git push --dry-run]'));
    file('broken.yaml', FIRST.replace('outcome', 'outcom'));
    const asked = ['push', 'status'].map((verb) => JSON.stringify({ mode: 'confirm', workspace: folder, argv: ['git', verb] }));
    file('lines.jsonl', asked.join('\n'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
  };
  const outcomes = (text: string): readonly string[] => {
    const lines = text.trim().split('\n');
    return lines.map((line) => (JSON.parse(line) as { readonly outcome: string }).outcome);
  };

  it('judges a file of commands by it, and by the built-in policy without it', async () => {
    const by = await run(folder, 'policy', 'check', '--policy', 'first.yaml', 'lines.jsonl');
    const without = await run(folder, 'policy', 'check', 'lines.jsonl');
    expect([by.code, outcomes(by.out), without.code, outcomes(without.out)]).toEqual([0, ['deny', 'allow'], 0, ['ask', 'allow']]);
  });

  it('explains one command by it, and ends with 1 unless the command would run by itself', async () => {
    const denied = await run(folder, 'policy', 'explain', '--policy', 'first.yaml', '--', 'git', 'push');
    expect(denied).toMatchObject({ code: 1, out: expect.stringMatching(/^deny[^]*no-push[^]*Releases go through CI\./) as unknown });
    const asked = await run(folder, 'policy', 'explain', '--', 'git', 'push');
    expect(asked).toMatchObject({ code: 1, out: expect.stringMatching(/^ask/) as unknown });
    const allowed = await run(folder, 'policy', 'explain', '--policy', 'first.yaml', '--', 'git', 'status');
    expect(allowed).toMatchObject({ code: 0, out: expect.stringMatching(/^allow/) as unknown });
  });

  it.each([
    ['wrong.yaml', /wrong\.yaml cannot be used:\n {2}9:\d+ rules\.0\.examples\.not_match/],
    ['broken.yaml', /broken\.yaml cannot be used:\n {2}5:5 rules\.0\.outcom/],
    ['missing.yaml', /missing\.yaml/],
  ])('judges nothing by %s, and says why', async (name, says) => {
    for (const verb of [
      ['check', '--policy', name, 'lines.jsonl'],
      ['explain', '--policy', name, '--', 'git', 'status'],
    ]) {
      const { code, out, error } = await run(folder, 'policy', ...verb);
      expect([code === 0, out]).toEqual([false, '']);
      expect(error).toMatch(says);
    }
  });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

function run(cwd: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { ...process.env, LOG_LEVEL: 'error' } });
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said.out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said.error += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })));
}

async function eventually<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
