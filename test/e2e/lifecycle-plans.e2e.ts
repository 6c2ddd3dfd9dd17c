import { jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Mode, Plan, Workspace } from '#contracts';
import { Clock } from '#platform';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { type Answer, call, execute, plan, type PlanAnswer, refOf, run, vote } from '../support/flow.js';
import { lifecycle, type Verdict } from '../support/lifecycle.js';

jest.setTimeout(90_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;
beforeAll(async () => {
  api = await boot();
  agent = await api.mcp();
  owner = await api.owner();
});
afterAll(() => api.close());

const site = (...path: string[]): string => join(api.workspace, ...path);
const approved = async (argv: readonly string[], more: Record<string, unknown> = {}): Promise<PlanAnswer> => {
  const planned = await plan(agent, argv, more);
  if (planned.status === 'awaiting_approval') await vote(owner, planned);
  return planned;
};
const planNow = async ({ plan_id }: PlanAnswer): Promise<Plan> => (await owner.get(`/api/plans/${plan_id}`)) as Plan;

/** Refused with this code, and nothing of it ran. */
async function denied(planned: PlanAnswer, code: string, answer: Promise<Answer> = execute(agent, planned)): Promise<Verdict> {
  expect((await answer).error?.code).toBe(code);
  expect((await planNow(planned)).runId).toBeNull();
  return 'deny';
}

describe('what moved between plan and run', () => {
  lifecycle('TT-01-cwd-swap', async () => {
    mkdirSync(site('d'));
    const planned = await approved(['ls'], { cwd: 'd' });
    renameSync(site('d'), site('d2'));
    symlinkSync('/etc', site('d'));
    const verdict = await denied(planned, 'PLAN_STALE');
    rmSync(site('d'));
    return verdict;
  });

  lifecycle('TT-02-bin-swap', async () => {
    mkdirSync(site('.venv/bin'), { recursive: true });
    const tool = (text: string): void => writeFileSync(site('.venv/bin/make'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    tool('echo made');
    const planned = await approved(['./.venv/bin/make']);
    tool('echo evil');
    return denied(planned, 'PLAN_STALE');
  });

  lifecycle('TT-04-symlink-operand', async () => {
    mkdirSync(site('dst'));
    writeFileSync(site('a'), 'a');
    const planned = await approved(['cp', 'a', 'dst/b']);
    rmSync(site('dst'), { recursive: true });
    symlinkSync('/tmp', site('dst'));
    const verdict = await denied(planned, 'PLAN_STALE');
    rmSync(site('dst'));
    return verdict;
  });

  lifecycle('TT-05-race-within', async () => {
    const swap = (): void => {
      const isLink = lstatSync(site('f'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
      rmSync(site('f'), { force: true });
      if (isLink) writeFileSync(site('f'), 'mine\n');
      else symlinkSync('/etc/shadow', site('f'));
    };
    const seen: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      rmSync(site('f'), { force: true });
      writeFileSync(site('f'), 'mine\n');
      const planned = await approved(['cat', 'f']);
      const flipping = setInterval(swap, 1);
      const { error, receipt, evidence } = await execute(agent, planned);
      clearInterval(flipping);
      if (error) expect(error.code).toBe('PLAN_STALE');
      else {
        seen.push(receipt?.stdout ?? '', receipt?.stderr ?? '');
        expect(evidence?.sandbox?.kind).not.toBe(undefined); // without a sandbox the receipt says so
      }
      if (evidence?.sandbox?.enforcement === 'full') expect(receipt?.stdout).toMatch(/^(mine\n)?$/);
    }
    rmSync(site('f'), { force: true });
    expect(seen.join('')).not.toMatch(/^root:/m);
    return 'deny';
  });
});

describe('an approval', () => {
  /** Somebody else's token that may decide. */
  const decider = async (): Promise<Client> => {
    const { secret } = (await owner.post('/api/tokens', { name: crypto.randomUUID(), scopes: ['terminal:plan', 'approvals:decide'] })) as {
      secret: string;
    };
    return api.mcp({ token: secret });
  };

  lifecycle('AP-01-replay', async () => {
    const planned = await approved(['touch', 'once']);
    expect(await execute(agent, planned)).toMatchObject({ receipt: { status: 'succeeded' } });
    rmSync(site('once'));
    expect((await execute(agent, planned)).error?.code).toBe('PLAN_ALREADY_RUN');
    expect(existsSync(site('once'))).toBe(false);
    return 'deny';
  });

  lifecycle('AP-02-other-session', async () => {
    const planned = await plan(agent, ['touch', 'other']);
    const approver = await decider();
    const { session_id } = await call(approver, 'terminal_open_session');
    const answer = call(approver, 'terminal_approve', { session_id, plan_id: planned.plan_id, digest: planned.digest });
    const verdict = await denied(planned, 'PLAN_NOT_FOUND', answer);
    expect(await planNow(planned)).toMatchObject({ status: 'awaiting_approval' });
    return verdict;
  });

  lifecycle('AP-04-double-execute', async () => {
    writeFileSync(site('count.sh'), '#!/bin/sh\necho ran >> count\nsleep 0.3\n', { mode: 0o755 });
    const planned = await approved(['./count.sh']);
    const answers = await Promise.all([execute(agent, planned), execute(agent, planned)]);
    expect(answers.filter(({ receipt }) => receipt?.status === 'succeeded')).toHaveLength(1);
    expect(answers.flatMap(({ error }) => error?.code ?? [])).toEqual(['PLAN_ALREADY_RUNNING']);
    expect((await run(agent, owner, ['cat', 'count'])).receipt?.stdout).toBe('ran\n');
    return 'deny';
  });

  lifecycle('AP-05-expired', async () => {
    const planned = await plan(agent, ['touch', 'late']);
    const approver = await decider();
    const clock = api.app.get(Clock);
    const now = clock.now.bind(clock);
    clock.now = () => now() + 25 * 3_600_000; // a plan waits for a day
    try {
      const late = await call(approver, 'terminal_approve', { ...refOf(planned), digest: planned.digest });
      expect(late.error?.code).toBe('ASK_EXPIRED');
    } finally {
      clock.now = now;
    }
    return denied(planned, 'PLAN_EXPIRED');
  });

  lifecycle('AP-07-mode-downgrade', async () => {
    const [workspace] = ((await owner.get('/api/workspaces')) as { items: Workspace[] }).items;
    const setMode = (mode: Mode): Promise<unknown> => owner.patch(`/api/workspaces/${String(workspace?.id)}`, { mode });
    await setMode('trusted');
    const planned = await plan(agent, ['touch', 'trusted']);
    expect(planned.status).toBe('approved');
    await setMode('inspect');
    const verdict = await denied(planned, 'PLAN_STALE');
    await setMode('confirm');
    return verdict;
  });

  lifecycle('AP-08-mutate', async () => {
    const planned = await approved(['touch', 'good']);
    const answer = call(agent, 'terminal_execute', { ...refOf(planned), argv: ['touch', 'evil'] });
    const verdict = await denied(planned, 'INPUT_INVALID', answer);
    expect(existsSync(site('evil'))).toBe(false);
    return verdict;
  });

  lifecycle('AP-10-digest', async () => {
    const seen = await plan(agent, ['touch', 'seen']);
    const other = await plan(agent, ['touch', 'unseen']);
    const answer = await owner.request('POST', `/api/asks/${other.ask_id}/votes`, { answer: 'approve', digest: seen.digest });
    expect([answer.status, ((await answer.json()) as Answer).error?.code]).toEqual([409, 'ASK_DIGEST_MISMATCH']);
    expect(await planNow(other)).toMatchObject({ status: 'awaiting_approval', runId: null });
    return 'deny';
  });

  lifecycle('AP-11-csrf', async () => {
    const planned = await plan(agent, ['touch', 'forged']);
    const forge = async (headers: Record<string, string>): Promise<number> =>
      (await owner.request('POST', `/api/asks/${planned.ask_id}/votes`, { answer: 'approve', digest: planned.digest }, headers)).status;
    expect(await forge({ 'x-csrf-token': '' })).toBe(403);
    expect(await forge({ origin: 'https://evil.example' })).toBe(403);
    expect(await forge({ 'content-type': 'text/plain' })).toBeGreaterThanOrEqual(400);
    expect(await planNow(planned)).toMatchObject({ status: 'awaiting_approval', runId: null });
    return 'deny';
  });
});

describe('what the workspace brings along', () => {
  lifecycle('EV-10', async () => {
    execFileSync('git', ['init', '-q', '.'], { cwd: api.workspace });
    writeFileSync(site('.gitconfig'), `[core]\n\tfsmonitor = touch ${site('MARK')}\n`);
    const { receipt } = await run(agent, owner, ['git', 'status']);
    expect(receipt).toMatchObject({ status: 'succeeded', exit_code: 0 });
    expect(existsSync(site('MARK'))).toBe(false);
    rmSync(site('.gitconfig'));
    return 'allow';
  });

  lifecycle('UI-12-output', async () => {
    const raw = Buffer.from('\u001b]0;Approve? [y]\u0007\u001b[2J\u001b[1;32mreceipt: succeeded\u001b[0m\nApprove? [y]\n');
    writeFileSync(site('evil.log'), raw);
    const { receipt, evidence } = await run(agent, owner, ['cat', 'evil.log']);
    expect(receipt).toMatchObject({ status: 'succeeded' });
    expect(evidence?.stdout).toMatchObject({ bytes: raw.length, sha256: createHash('sha256').update(raw).digest('hex') });
    // No byte on any wire can act on a terminal: JSON writes each control character as text.
    const authorization = `Bearer ${api.agentToken}`;
    const wires = await Promise.all(
      [
        `/api/runs/${String(evidence?.run_id)}/stream`,
        `/api/runs/${String(evidence?.run_id)}/output`,
        `/api/receipts/${String(receipt?.id)}`,
      ].map(async (path) => (await api.fetch(path, { headers: { authorization } })).text()),
    );
    for (const text of wires) expect(text).toContain('Approve? [y]');
    expect(wires.join('')).not.toMatch(/[\u001b\u0007\u009b]/);
    return 'allow';
  });
});
