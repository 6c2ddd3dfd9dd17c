import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan, ReceiptId, Run } from '#contracts';
import { AppError } from '#platform';
import { Receipts } from '#receipts';
import { engines } from '../../../test/support/engines.js';
import { bootExecution, type ExecutionApp } from '../../../test/support/execution.js';
import { the } from '../../../test/support/plans.js';
import { Claims } from './claims.js';
import type { PlanRequest } from './plan-kinds.js';
import { Planner } from './planner.js';
import { Plans } from './plans.js';
import { Sessions } from './sessions.js';
import { Workspaces } from './workspaces.js';

describe.each(engines)('claims on %s', (_name, open) => {
  let app: ExecutionApp;
  beforeEach(async () => {
    app = await bootExecution({ open });
  });
  afterEach(() => app.close());

  const plan = (argv: readonly string[], more: Partial<PlanRequest> = {}): Promise<Plan> =>
    app.get(Planner).plan({ principal: app.agent, request: { kind: 'command', argv, ...more } });
  const claim = ({ id }: Plan) => app.get(Claims).claim(app.agent, id);
  const execute = async (planned: Plan): Promise<Run> => (await claim(planned)).ended;
  const now = ({ id }: Plan) => app.get(Plans).get(app.agent, id);
  const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'done',
      (thrown: unknown) => (thrown instanceof AppError ? thrown.code : thrown),
    );
  const site = (...path: string[]) => join(app.workspace.root, ...path);

  it('runs an allowed plan and ends it with a receipt, in three commits', async () => {
    await app.get(Sessions).open(app.agent);
    const before = app.commits();
    const planned = await plan(['ls']);
    expect(planned).toMatchObject({ status: 'approved', askId: null });
    const run = await execute(planned);
    expect(app.commits() - before).toBe(3);
    expect(run).toMatchObject({ status: 'ended', outcome: 'succeeded', exitCode: 0 });
    expect(await now(planned)).toMatchObject({ status: 'succeeded', runId: run.id, receiptId: run.receiptId });
    const file = await app.get(Receipts).find(run.receiptId as ReceiptId);
    expect(file).toMatchObject({
      receipt: { plan_id: planned.id, status: 'succeeded', approved: true, stdout: 'hello\n', exit_code: 0, command: 'ls' },
      evidence: { kind: 'run', run_id: run.id, plan_digest: planned.digest, outcome: 'succeeded', approvals: [{ channel: 'policy' }] },
    });
    expect(await app.events()).toEqual([
      'workspace.changed',
      'session.opened',
      'plan.created',
      'plan.moved',
      'run.started',
      'receipt.written',
      'plan.moved',
      'run.ended',
    ]);
  });

  it('lets twenty callers at once start one run, with one receipt', async () => {
    app.executor.holds = true;
    const planned = await plan(['ls']);
    const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claim(planned)));
    const won = claims.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const lost = claims.flatMap((one) => (one.status === 'rejected' ? [(one.reason as AppError).code] : []));
    expect(won).toHaveLength(1);
    expect(new Set(lost)).toEqual(new Set(['PLAN_ALREADY_RUNNING']));
    expect(app.executor.started).toHaveLength(1);
    app.executor.end(the(app.executor.active[0]));
    await won[0]?.ended;
    expect((await app.events()).filter((type) => type === 'receipt.written')).toHaveLength(1);
    expect(await codeOf(claim(planned))).toBe('PLAN_ALREADY_RUN');
  });

  it('runs nothing that nobody approved, and runs it once somebody has', async () => {
    const planned = await plan(['rm', 'x']);
    expect(planned).toMatchObject({ status: 'awaiting_approval', decision: { outcome: 'ask' } });
    expect(await codeOf(claim(planned))).toBe('PLAN_NOT_APPROVED');
    await app.approve(planned);
    const run = await execute(planned);
    const file = await app.get(Receipts).find(run.receiptId as ReceiptId);
    expect(file?.evidence.approvals).toMatchObject([{ name: 'Ada', channel: 'console', answer: 'approve' }]);
    expect(app.executor.started).toHaveLength(1);
  });

  it('gives one session one run at a time, and leaves the other plan approved', async () => {
    app.executor.holds = true;
    const [first, second] = [await plan(['ls']), await plan(['ls', '-l'])];
    const { ended } = await claim(first);
    expect(await codeOf(claim(second))).toBe('SESSION_BUSY');
    expect(await now(second)).toMatchObject({ status: 'approved' });
    app.executor.end(the(app.executor.active[0]));
    await ended;
    expect(await codeOf(claim(second))).toBe('done');
  });

  it('refuses an approved plan after a quarter of an hour', async () => {
    const planned = await plan(['ls']);
    app.clock.at += 900_000;
    expect(await codeOf(claim(planned))).toBe('PLAN_EXPIRED');
    await app.get(Plans).expireOverdue();
    expect(await now(planned)).toMatchObject({ status: 'expired' });
    expect(app.executor.started).toEqual([]);
  });

  describe('refuses as stale, and says what changed,', () => {
    const stale = async (planned: Plan): Promise<unknown> => {
      const thrown = await claim(planned).catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: 'PLAN_STALE' });
      expect(await now(planned)).toMatchObject({ status: 'stale' });
      expect(app.executor.started).toEqual([]);
      const { receiptId } = await now(planned);
      expect(await app.get(Receipts).find(the(receiptId))).toMatchObject({
        evidence: { kind: 'decision', outcome: 'stale', details: { changed: (thrown as AppError).details['changed'] } },
      });
      return (thrown as AppError).details['changed'];
    };

    it('a working folder that became a link', async () => {
      mkdirSync(site('d'));
      const planned = await plan(['ls'], { cwd: 'd' });
      renameSync(site('d'), site('d2'));
      symlinkSync('/etc', site('d'));
      expect(await stale(planned)).toEqual(['cwd']);
    });

    it('another folder in the place of the working folder', async () => {
      mkdirSync(site('d'));
      const planned = await plan(['ls'], { cwd: 'd' });
      renameSync(site('d'), site('d2'));
      mkdirSync(site('d'));
      expect(await stale(planned)).toEqual(['cwd']);
    });

    it('a script of the workspace that was rewritten after the approval', async () => {
      writeFileSync(site('deploy.sh'), '#!/bin/sh\necho good\n', { mode: 0o755 });
      const planned = await plan(['./deploy.sh']);
      await app.approve(planned);
      writeFileSync(site('deploy.sh'), '#!/bin/sh\necho evil\n', { mode: 0o755 });
      expect(await stale(planned)).toContain('executable:1');
    });

    it('a script operand that was rewritten after the approval', async () => {
      writeFileSync(site('deploy.sh'), 'echo good\n');
      const planned = await plan(['bash', 'deploy.sh']);
      await app.approve(planned);
      writeFileSync(site('deploy.sh'), 'echo evil\n');
      expect(await stale(planned)).toEqual([`file:${site('deploy.sh')}`]);
    });

    it('a program that was replaced, and another one earlier in the path', async () => {
      const tools = ['first', 'second'].map((name) => join(app.dataDir, name));
      for (const folder of tools) mkdirSync(folder);
      const tool = (folder: string, text: string): void => writeFileSync(join(folder, 'mytool'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      const [first = '', second = ''] = tools;
      await app.get(Workspaces).update(app.workspace.id, { by: app.person, toolPaths: tools });
      tool(second, 'echo good');
      const earlier = await plan(['mytool']);
      await app.approve(earlier);
      tool(first, 'echo evil');
      expect(await stale(earlier)).toContain('executable:1');
      rmSync(join(first, 'mytool'));
      const replaced = await plan(['mytool']);
      await app.approve(replaced);
      rmSync(join(second, 'mytool'));
      tool(second, 'echo good');
      expect(await stale(replaced)).toContain('executable:1'); // the same words in another file
    });

    it('a target that leads elsewhere by now', async () => {
      mkdirSync(site('dst'));
      writeFileSync(site('a'), 'a');
      const planned = await plan(['cp', 'a', 'dst/b']);
      await app.approve(planned);
      rmSync(site('dst'), { recursive: true });
      symlinkSync('/tmp', site('dst'));
      expect(await stale(planned)).toContain('touches');
    });

    it('limits that this server does not grant any more', async () => {
      const planned = await plan(['ls'], { limits: { maxOutputBytes: 1_000_000 } });
      const other = await bootExecution({ open, beside: app, env: { MAX_OUTPUT_BYTES: '4096' } });
      try {
        const thrown = await other
          .get(Claims)
          .claim(app.agent, planned.id)
          .catch((error: unknown) => error);
        expect(thrown).toMatchObject({ code: 'PLAN_STALE', details: { changed: ['limits'] } });
      } finally {
        await other.close();
      }
    });

    it('a mode that has become stricter', async () => {
      const planned = await plan(['rm', 'x']);
      await app.approve(planned);
      await app.get(Workspaces).update(app.workspace.id, { by: app.person, mode: 'inspect' });
      expect(await stale(planned)).toEqual(expect.arrayContaining(['mode', 'decision']));
    });
  });

  it('does not let a looser mode approve what was planned under a stricter one', async () => {
    const planned = await plan(['rm', 'x']);
    await app.get(Workspaces).update(app.workspace.id, { by: app.person, mode: 'trusted' });
    expect(await codeOf(claim(planned))).toBe('PLAN_NOT_APPROVED');
  });

  it('plans a tool that is not installed, and says so instead of running it', async () => {
    const planned = await plan(['nosuchtool']);
    expect(planned.decision.rules).toContain('executable.missing');
    expect(
      await codeOf(
        app
          .approve(planned)
          .then(() => claim(planned))
          .catch(() => claim(planned)),
      ),
    ).toMatch(/EXECUTABLE_NOT_FOUND|PLAN_BLOCKED/);
    expect(app.executor.started).toEqual([]);
  });

  it('loses nothing while the workspace is away', async () => {
    const planned = await plan(['ls']);
    renameSync(app.workspace.root, `${app.workspace.root}-away`);
    expect(await codeOf(claim(planned))).toBe('WORKSPACE_GONE');
    expect(await codeOf(plan(['ls']))).toBe('WORKSPACE_GONE');
    renameSync(`${app.workspace.root}-away`, app.workspace.root);
    expect(await codeOf(claim(planned))).toBe('done');
  });

  it('ends a run that could not be started, with a receipt that says so', async () => {
    const planned = await plan(['ls']);
    app.executor.isAway = true;
    const run = await execute(planned);
    expect(run).toMatchObject({ outcome: 'failed' });
    const file = await app.get(Receipts).find(run.receiptId as ReceiptId);
    expect(file).toMatchObject({
      receipt: { status: 'failed' },
      evidence: { outcome: 'failed', details: { failure: 'Nothing was started' } },
    });
  });

  it('keeps a stranger from plans, sessions and runs as if they did not exist', async () => {
    const planned = await plan(['ls']);
    const stranger = { ...app.agent, id: 'stranger' as typeof app.agent.id };
    expect(await codeOf(app.get(Claims).claim(stranger, planned.id))).toBe('PLAN_NOT_FOUND');
    expect(await codeOf(app.get(Sessions).get(stranger, planned.sessionId))).toBe('SESSION_NOT_FOUND');
    expect(await app.get(Plans).page(stranger, { limit: 10 })).toEqual([]);
    const other = await app.get(Sessions).open(app.agent);
    expect(await codeOf(app.get(Claims).claim(app.agent, planned.id, other.id))).toBe('PLAN_NOT_FOUND');
  });

  afterEach(() => rmSync(`${app.workspace.root}-away`, { recursive: true, force: true }));
});
