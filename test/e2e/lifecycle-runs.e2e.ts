import { jest } from '@jest/globals';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Plan, Workspace } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { type Answer, call, execute, plan, type PlanAnswer, refOf, run, until, vote } from '../support/flow.js';
import { lifecycle, type Verdict } from '../support/lifecycle.js';
import { newMark, processesWith } from '../support/processes.js';

jest.setTimeout(120_000);

const MIB = 1_048_576;

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
const script = (name: string, text: string): void => writeFileSync(site(name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });

interface Begun {
  readonly planned: PlanAnswer;
  readonly running: Promise<Answer>;
}

/** An approved script that is at work. */
async function begun(name: string, mark: string): Promise<Begun> {
  const planned = await plan(agent, [`./${name}`]);
  await vote(owner, planned);
  const running = execute(agent, planned);
  await until('the program at work', () => processesWith(mark)[0]);
  return { planned, running };
}

/** Ended by us, and nothing of it is there any more. */
function killed({ evidence }: Answer, mark: string): Verdict {
  expect(evidence?.survivors).toEqual([]);
  expect(processesWith(mark)).toEqual([]);
  return 'killed';
}

describe('what takes more than it may', () => {
  lifecycle('RX-01-forkbomb', async () => {
    const mark = newMark();
    script('bomb.sh', `while :; do sleep ${mark} & done`);
    const answer = await run(agent, owner, ['./bomb.sh'], { limits: { processes: 200 } });
    expect([answer.receipt?.status, answer.evidence?.limit_hit]).toEqual(['failed', 'processes']);
    return killed(answer, mark);
  });

  lifecycle('RX-02-flood', async () => {
    const { receipt, evidence } = await run(agent, owner, ['yes'], { limits: { max_output_bytes: 65_536 } });
    expect([receipt?.status, evidence?.limit_hit, evidence?.survivors]).toEqual(['failed', 'output', []]);
    expect(Buffer.byteLength(receipt?.stdout ?? '')).toBeLessThan(66_000);
    expect(receipt?.stdout).toMatch(/^y\ny\n[^]*bytes left out[^]*y\n/);
    return receipt?.output_truncated ? 'truncated' : 'allow';
  });

  lifecycle('RX-04-disk', async () => {
    const [workspace] = ((await owner.get('/api/workspaces')) as { items: Workspace[] }).items;
    await owner.patch(`/api/workspaces/${String(workspace?.id)}`, { mode: 'trusted' });
    const { receipt, evidence } = await run(agent, owner, ['dd', 'if=/dev/zero', 'of=big'], {
      limits: { file_bytes: 4 * MIB, timeout_ms: 30_000 },
    });
    await owner.patch(`/api/workspaces/${String(workspace?.id)}`, { mode: 'confirm' });
    expect([receipt?.status, evidence?.limit_hit, evidence?.survivors]).toEqual(['failed', 'file_size', []]);
    expect(statSync(site('big')).size).toBeLessThanOrEqual(4 * MIB);
    rmSync(site('big'));
    return 'killed';
  });
});

describe('what does not want to end', () => {
  lifecycle('RX-05-daemon', async () => {
    const mark = newMark();
    script('daemon.sh', `(setsid sleep ${mark} >/dev/null 2>&1 &)\n(setsid sh -c 'sleep ${mark} & sleep ${mark}' &)\nsleep ${mark}`);
    const byTime = await run(agent, owner, ['./daemon.sh'], { limits: { timeout_ms: 800 } });
    expect([byTime.receipt?.status, byTime.evidence?.limit_hit]).toEqual(['timed_out', 'time']);
    killed(byTime, mark);
    const { planned, running } = await begun('daemon.sh', mark);
    await call(agent, 'terminal_close_session', { session_id: planned.session_id });
    const byClose = await running;
    expect(byClose.evidence?.details).toMatchObject({ ended_by: 'session_closed' });
    return killed(byClose, mark);
  });

  lifecycle('RX-07-stopped', async () => {
    const mark = newMark();
    script('stopped.sh', `sleep ${mark} & sleep ${mark}`);
    const { planned, running } = await begun('stopped.sh', mark);
    expect(await call(agent, 'terminal_pause', refOf(planned))).toMatchObject({ status: 'paused' });
    await call(agent, 'terminal_cancel', refOf(planned));
    const answer = await running;
    expect(answer).toMatchObject({ receipt: { status: 'cancelled' } });
    return killed(answer, mark);
  });

  lifecycle('RX-10-ignore-term', async () => {
    const mark = newMark();
    script('deaf.sh', `(trap '' TERM; while :; do sleep ${mark}; done) &\ntrap 'exit 0' TERM\nwhile :; do sleep 0.1; done`);
    const { planned, running } = await begun('deaf.sh', mark);
    await call(agent, 'terminal_cancel', refOf(planned));
    const answer = await running;
    expect(answer).toMatchObject({ receipt: { status: 'cancelled' } });
    return killed(answer, mark);
  });

  lifecycle('RX-08-enoexec', async () => {
    writeFileSync(site('noshebang'), 'touch from-a-shell\n', { mode: 0o755 });
    const planned = await plan(agent, ['./noshebang']);
    if (planned.status === 'awaiting_approval') await vote(owner, planned);
    const { error, receipt } = await execute(agent, planned);
    expect(error?.code ?? receipt?.status).toMatch(/^(PLAN_BLOCKED|failed)$/);
    expect(existsSync(site('from-a-shell'))).toBe(false);
    expect(((await owner.get(`/api/plans/${planned.plan_id}`)) as Plan).status).toMatch(/^(blocked|failed)$/);
    return 'deny';
  });
});
