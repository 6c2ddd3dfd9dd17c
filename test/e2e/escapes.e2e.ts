import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Plan, ReceiptFile, Workspace } from '#contracts';
import { verifyFile } from '#receipts/core';
import { ConsoleClient } from '../support/console-client.mjs';
import { execute, plan, type PlanAnswer, run, vote } from '../support/flow.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { newMark, processesWith } from '../support/processes.js';
import { startServer, temporaryFolder } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

type Server = Awaited<ReturnType<typeof startServer>>;

describe.each(['auto', 'off'])('a program that tries to get out, SANDBOX=%s', (SANDBOX) => {
  let server: Server;
  let owner: ConsoleClient;
  let agent: Client;
  let home: string;
  beforeAll(async () => {
    home = temporaryFolder('countersign-home-');
    mkdirSync(join(home, '.ssh'), { mode: 0o700 });
    writeFileSync(join(home, '.ssh', 'id_ed25519'), 'the-words-of-the-key');
    const base = temporaryFolder();
    mkdirSync(join(base, 'site'));
    const env = { SANDBOX, HOME: home, WORKSPACE_ROOT: join(base, 'site'), APPROVAL_MODE: 'confirm', MAX_CONCURRENT_SESSIONS: '100' };
    server = await startServer({ dataDir: join(base, 'data'), env });
    owner = new ConsoleClient(server.url ?? '');
    await owner.welcome(server.link ?? '');
    agent = await modernOverHttp({ url: server.mcp ?? '', token: server.token ?? '' });
  });
  afterAll(async () => {
    await agent.close();
    await server.remove();
    rmSync(home, { recursive: true, force: true });
    rmSync(dirname(server.dataDir), { recursive: true, force: true });
  });

  const site = (name: string): string => join(server.workspace ?? '', name);
  const script = (name: string, text: string): void => writeFileSync(site(name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  const approved = async (argv: readonly string[], more: Record<string, unknown> = {}): Promise<PlanAnswer> => {
    const planned = await plan(agent, argv, more);
    if (planned.status === 'awaiting_approval') await vote(owner, planned);
    return planned;
  };

  verifies('escape:stopped', `what it reaches, and what its receipt says of it (${SANDBOX})`, async () => {
    let calls = 0;
    const listener = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const mark = newMark();
    const canary = spawn('sleep', [newMark()], { stdio: 'ignore' });
    const hidden = join(home, '.ssh', 'id_ed25519');
    script(
      'escape.sh',
      [
        `echo x > ${home}/written`,
        `head -c 15 ${server.dataDir}/countersign.db`,
        `cat ${hidden}`,
        `cat /proc/*/root${hidden}`,
        `ln ${hidden} linked && cat linked`,
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo connected`,
        `kill -TERM ${String(canary.pid)} && echo signalled`,
        `(setsid bash -c 'sleep ${mark} & sleep ${mark}' &)`,
        'ls /proc/self/fd | tr "\\n" " "',
        'echo finished',
      ].join('\n'),
    );
    const planned = await plan(agent, ['./escape.sh']);
    const card = (await owner.get(`/api/plans/${planned.plan_id}`)) as Plan;
    await vote(owner, planned);
    const file = await execute(agent, planned);
    listener.close();
    canary.kill('SIGKILL');
    const { receipt, evidence } = file;
    const stdout = receipt?.stdout ?? '';
    expect(stdout).toMatch(/0 1 2 3 (255 )?finished\n$/); // bash keeps its own script as 255
    expect(evidence).toMatchObject({ sandbox: card.sandbox, survivors: [], outcome: 'succeeded' });
    expect(processesWith(mark)).toEqual([]);
    expect(verifyFile((await owner.get(`/api/receipts/${String(receipt?.id)}`)) as ReceiptFile).filter(({ ok }) => ok === false)).toEqual(
      [],
    );
    if (card.sandbox.enforcement === 'full') {
      expect(evidence?.sandbox).toMatchObject({ network: 'none', fileSystem: 'workspace_write', pidNamespace: true, seccomp: true });
      expect(stdout).not.toMatch(/SQLite format|the-words|connected|signalled/);
      expect([existsSync(join(home, 'written')), existsSync(site('linked')), calls]).toEqual([false, false, 0]);
      expect(receipt?.stderr).toMatch(/Read-only file system|No such file or directory|Permission denied/);
    }
    if (SANDBOX === 'off') {
      // Nothing held it, and nobody is told otherwise.
      expect(evidence?.sandbox).toMatchObject({
        kind: 'none',
        enforcement: 'none',
        network: 'open',
        fileSystem: 'open',
        pidNamespace: false,
      });
      expect(stdout).toContain('connected');
      expect(readFileSync(join(home, 'written'), 'utf8')).toBe('x\n');
    }
  });

  verifies('escape:stopped', `what ends it is named in its receipt (${SANDBOX})`, async () => {
    const mark = newMark();
    script('bomb.sh', `while :; do sleep ${mark} & done`);
    const { receipt, evidence } = await run(agent, owner, ['./bomb.sh'], { limits: { processes: 100 } });
    expect([receipt?.status, evidence?.limit_hit, evidence?.survivors]).toEqual(['failed', 'processes', []]);
    expect(processesWith(mark)).toEqual([]);
  });

  verifies('escape:stopped', `what was swapped between plan and run is refused and named (${SANDBOX})`, async () => {
    const refused = async (planned: PlanAnswer, changed: RegExp): Promise<void> => {
      expect((await execute(agent, planned)).error?.code).toBe('PLAN_STALE');
      const { receiptId, runId } = (await owner.get(`/api/plans/${planned.plan_id}`)) as Plan;
      expect(runId).toBeNull();
      const { evidence } = (await owner.get(`/api/receipts/${String(receiptId)}`)) as ReceiptFile;
      expect(evidence).toMatchObject({ kind: 'decision', outcome: 'stale' });
      expect(JSON.stringify(evidence.details)).toMatch(changed);
    };
    mkdirSync(site('here'));
    const folder = await approved(['touch', 'made'], { cwd: 'here' });
    renameSync(site('here'), site('there'));
    symlinkSync(home, site('here'));
    await refused(folder, /"cwd"/);
    expect(existsSync(join(home, 'made'))).toBe(false);

    script('task.sh', 'echo good');
    const operand = await approved(['bash', 'task.sh']);
    script('task.sh', 'echo evil');
    await refused(operand, /task\.sh/);

    const tools = ['first', 'second'].map((name) => join(home, name));
    for (const each of tools) mkdirSync(each);
    const [workspace] = ((await owner.get('/api/workspaces')) as { items: Workspace[] }).items;
    await owner.patch(`/api/workspaces/${String(workspace?.id)}`, { toolPaths: tools });
    const tool = (at: string | undefined, text: string): void =>
      writeFileSync(join(at ?? '', 'mytool'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    tool(tools[1], 'echo good');
    const program = await approved(['mytool']);
    tool(tools[0], 'echo evil'); // another one, earlier in the path
    await refused(program, /executable:1/);
  });
});
