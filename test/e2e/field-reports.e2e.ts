import { jest } from '@jest/globals';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { AppEvent, LearnedOffers, Plan, PolicyInForce } from '#contracts';
import { ConsoleClient } from '../support/console-client.mjs';
import { EventReader } from '../support/event-source.js';
import { type Answer, call, execute, plan, refOf, run, until, vote } from '../support/flow.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { newMark, processesWith } from '../support/processes.js';
import { startServer } from '../support/server.mjs';

jest.setTimeout(180_000);

const MIB = 1_048_576;

type Server = Awaited<ReturnType<typeof startServer>>;
let server: Server;
let owner: ConsoleClient;
let agent: Client;
beforeAll(async () => {
  server = await startServer({ env: { MAX_CONCURRENT_SESSIONS: '200', RATE_LIMIT_PER_MINUTE: '1000000' } });
  owner = new ConsoleClient(server.url ?? '');
  await owner.welcome(server.link ?? '');
  agent = await modernOverHttp({ url: server.mcp ?? '', token: server.token ?? '' });
});
afterAll(async () => {
  await agent.close();
  await server.remove();
});

const site = (...path: string[]): string => join(server.workspace ?? '', ...path);
const script = (name: string, text: string): void => writeFileSync(site(name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
const asAgent = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url ?? ''}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${server.token ?? ''}`, 'content-type': 'application/json' },
  });
/** What policy says to words: `allow`, `ask`, `deny`, or the code with which they are not even planned. */
const outcomeOf = async (words: { readonly command: string } | { readonly argv: readonly string[] }): Promise<string> => {
  const answer = (await call(agent, 'terminal_plan', words)) as Answer & { decision?: { outcome: string } };
  return answer.error?.code ?? answer.decision?.outcome ?? '';
};

describe('policy and command parsing', () => {
  it('B31: a rule for one command does not cover what is joined to it', async () => {
    expect(await outcomeOf({ command: 'git log' })).toBe('allow');
    const joined = [
      '; touch x',
      '&& touch x',
      '| tee x',
      '\ntouch x',
      '& touch x',
      '|& tee x',
      '$(touch x)',
      '`touch x`',
      '> x',
      '<(touch x)',
    ];
    const outcomes = await Promise.all(joined.map((more) => outcomeOf({ command: `git log ${more}` })));
    expect(outcomes).not.toContain('allow');
    expect(await outcomeOf({ command: '(git log; touch x)' })).not.toBe('allow');
    expect(existsSync(site('x'))).toBe(false);
  });

  it('B32: a refused command is refused in every spelling', async () => {
    const spellings = [
      ['git', 'push'],
      ['/usr/bin/git', 'push'],
      ['git', '--no-pager', 'push'],
      ['git', '-C', '.', 'push'],
      ['git', '-c', 'a.b=c', 'push'],
      ['env', 'git', 'push'],
      ['env', 'GIT_DIR=..', 'git', 'push'],
      ['nice', 'timeout', '9', 'git', 'push'],
      ['sh', '-c', 'git push'],
    ];
    const outcomes = await Promise.all(spellings.map((argv) => outcomeOf({ argv })));
    expect(outcomes.filter((outcome) => outcome === 'allow')).toEqual([]);
    expect(await outcomeOf({ command: 'cd . && git push' })).not.toBe('allow');
    const { version: previous } = (await owner.get('/api/policy')) as PolicyInForce;
    const yaml = 'name: No push\nrules:\n  - name: no-push\n    match: { tool: git, subcommand: push }\n    outcome: deny\n';
    await owner.post('/api/policy/versions', { yaml, previous, note: 'no push' });
    const denied = await Promise.all(spellings.map((argv) => outcomeOf({ argv })));
    expect(denied).toEqual(spellings.map(() => 'deny'));
    await owner.post('/api/policy/versions', { yaml: 'name: Nothing\nrules: []\n', previous: previous + 1, note: 'as before' });
  });

  const offersFor = async (argv: readonly string[]): Promise<LearnedOffers> => {
    const planned = await plan(agent, argv);
    await vote(owner, planned);
    return (await owner.get(`/api/policy/learned/${planned.plan_id}`)) as LearnedOffers;
  };

  it('B33: what a wrapper carries is never remembered as the wrapper', async () => {
    for (const argv of [
      ['python3', '-c', 'print(1)'],
      ['node', '-e', '1'],
      ['perl', '-e', '1'],
      ['bash', '-c', 'touch x'],
    ]) {
      const { offers } = await offersFor(argv);
      expect([argv, offers]).toEqual([argv, []]);
    }
    const { offers } = await offersFor(['nice', 'touch', 'wrapped']);
    expect(JSON.stringify(offers)).not.toMatch(/tool"?:? ?"?nice/);
  });

  it('B34: what is remembered matches again, and is offered in more than one width, with a replay', async () => {
    const { offers, current: previous } = await offersFor(['touch', 'again.txt']);
    expect(offers.length).toBeGreaterThan(1);
    expect(offers.every(({ replay }) => typeof replay.looser === 'number')).toBe(true);
    const [exact] = offers;
    const planned = (await owner.get('/api/plans?limit=1')) as { items: Plan[] };
    await owner.post(`/api/policy/learned/${String(planned.items[0]?.id)}`, { kind: exact?.kind, previous, note: 'often' });
    expect(await outcomeOf({ argv: ['touch', 'again.txt'] })).toBe('allow');
    expect(await outcomeOf({ argv: ['touch', 'other.txt'] })).toBe('ask');
    await owner.post('/api/policy/versions', { yaml: 'name: Nothing\nrules: []\n', previous: previous + 1, note: 'as before' });
  });

  it('B35: what a block-list misses ends as a literal argument or a refusal', async () => {
    const payloads = [
      'r""m -rf x',
      'rm${IFS}-rf${IFS}x',
      'echo cm0gLXJmIHg= | base64 -d | sh',
      "$'\\x72\\x6d' x",
      'eval rm x',
      'find . -delete',
      'x=rm; $x x',
    ];
    mkdirSync(site('x'), { recursive: true });
    const outcomes = await Promise.all(payloads.map((command) => outcomeOf({ command })));
    expect(outcomes).not.toContain('allow');
    const { receipt } = await run(agent, owner, ['echo', ...payloads]);
    expect(receipt?.stdout).toBe(`${payloads.join(' ')}\n`);
    expect(existsSync(site('x'))).toBe(true);
    rmSync(site('x'), { recursive: true });
  });

  it('B36: no path leads out of the workspace', async () => {
    const outside = join(dirname(server.dataDir), 'outside');
    writeFileSync(outside, 'the-words-outside');
    symlinkSync(outside, site('way-out'));
    linkSync(outside, site('second-name'));
    const ways = [
      ['cat', '../../outside'],
      ['cat', 'way-out'],
      ['cat', '/proc/self/root/etc/shadow'],
      ['cat', '/proc/self/cwd/../../outside'],
      ['cat', './/..//../outside'],
      ['git', 'log', '--output=/etc/x'],
      ['sort', '-o', '/etc/x', 'way-out'],
      ['cat', '.GIT/config'],
      ['cat', 'second-name'],
    ];
    for (const argv of ways) {
      const planned = (await call(agent, 'terminal_plan', { argv })) as Answer & { status?: string };
      expect([argv, planned.status]).not.toEqual([argv, 'approved']);
    }
    // A link that comes between plan and run leads nowhere either.
    writeFileSync(site('plain'), 'mine');
    const planned = await plan(agent, ['cat', 'plain']);
    rmSync(site('plain'));
    symlinkSync(outside, site('plain'));
    const { error, receipt } = await execute(agent, planned);
    expect(error?.code ?? receipt?.stdout).toBe('PLAN_STALE');
    for (const name of ['plain', 'way-out', 'second-name']) rmSync(site(name));
  });

  it('B37: an agent cannot write the policy it is judged by', async () => {
    const before = (await owner.get('/api/policy')) as PolicyInForce;
    const yaml = 'name: Mine\nrules:\n  - name: all\n    match: {}\n    outcome: allow\n';
    const body = JSON.stringify({ yaml, previous: before.version, note: 'mine' });
    expect((await asAgent('/api/policy/versions', { method: 'POST', body })).status).toBe(403);
    const [workspace] = ((await owner.get('/api/workspaces')) as { items: { id: string }[] }).items;
    expect((await asAgent(`/api/workspaces/${String(workspace?.id)}`, { method: 'PATCH', body: '{"mode":"trusted"}' })).status).toBe(403);
    script('reach.sh', `cat ${server.dataDir}/countersign.db | head -c 15; echo x >> ${server.dataDir}/countersign.db; echo tried`);
    const { receipt } = await run(agent, owner, ['./reach.sh']);
    expect(receipt?.stdout).toBe('tried\n');
    expect(await owner.get('/api/policy')).toEqual(before);
  });
});

describe('streaming, output, processes', () => {
  it('B44: characters that writes split, on both streams, arrive whole', async () => {
    const write = (hex: string): string => `printf '\\x${hex}' >&2; printf '\\x${hex}'; sleep 0.1`;
    script('split.sh', [...['e2', '89', 'a4', '00', 'ff', 'ed', 'a0', '80', 'f0', '9f'].map(write)].join('\n'));
    const { receipt, evidence } = await run(agent, owner, ['./split.sh']);
    const text = '≤\0\ufffd\ufffd\ufffd\ufffd\ufffd'; // a wrong byte, half a pair, the end inside a character
    expect([receipt?.stdout, receipt?.stderr]).toEqual([text, text]);
    expect(evidence?.stdout).toMatchObject({ bytes: 10, invalidUtf8: 5 });
  });

  it('B45: ten floods at once end with receipts, and the server stays small', async () => {
    script('flood.sh', 'base64 -w 0 /dev/zero');
    const floods = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { session_id } = await call(agent, 'terminal_open_session');
        return run(agent, owner, ['./flood.sh'], { session_id, limits: { timeout_ms: 60_000, max_output_bytes: 65_536 } });
      }),
    );
    for (const { receipt, evidence } of floods)
      expect([receipt?.status, receipt?.output_truncated, evidence?.limit_hit, evidence?.survivors]).toEqual([
        'failed',
        true,
        'output',
        [],
      ]);
    const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(server.pid)}/status`, 'utf8'))?.[1]) * 1_024;
    expect(peak).toBeLessThan(300 * MIB);
  });

  it('B46: a cancel leaves no grandchild, and the receipt names survivors', async () => {
    const mark = newMark();
    script(
      'tree.sh',
      `trap '' TERM\n(setsid bash -c "trap '' TERM; sleep ${mark} & sleep ${mark}" &)\nnohup sleep ${mark} >/dev/null 2>&1 &\nsleep ${mark}\nsleep ${mark}`,
    );
    const planned = await plan(agent, ['./tree.sh']);
    await vote(owner, planned);
    const running = execute(agent, planned);
    await until('four of them', () => (processesWith(mark).length >= 4 ? true : undefined));
    await call(agent, 'terminal_cancel', refOf(planned));
    const { receipt, evidence } = await running;
    expect([receipt?.status, evidence?.survivors]).toEqual(['cancelled', []]);
    expect(processesWith(mark)).toEqual([]);
  });

  const follow = (after: number): Promise<EventReader<AppEvent>> =>
    EventReader.open<AppEvent>(`${server.url ?? ''}/api/events?after=${after}`, { authorization: `Bearer ${server.token ?? ''}` });

  it('B48: a stream that was cut goes on exactly, for its owner only', async () => {
    const made = [await plan(agent, ['ls']), await plan(agent, ['ls', '-a']), await plan(agent, ['ls', '-l'])];
    const isOf = (planId: string) => (event: AppEvent) => event.type === 'plan.created' && event.plan.id === planId;
    const whole = await follow(0);
    const [first, second, third] = [
      await whole.next(isOf(made[0]?.plan_id ?? '')),
      await whole.next(isOf(made[1]?.plan_id ?? '')),
      await whole.next(isOf(made[2]?.plan_id ?? '')),
    ];
    await whole.close();
    const again = await follow(first.data.seq);
    expect((await again.next(isOf(made[1]?.plan_id ?? ''))).data.seq).toBe(second.data.seq);
    expect((await again.next(isOf(made[2]?.plan_id ?? ''))).data.seq).toBe(third.data.seq);
    await again.close();
    const { secret } = (await owner.post('/api/tokens', { name: 'stranger' })) as { secret: string };
    const stranger = await EventReader.open<AppEvent>(`${server.url ?? ''}/api/events?after=0`, { authorization: `Bearer ${secret}` });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(JSON.stringify(stranger.frames)).not.toContain(made[0]?.plan_id);
    await stranger.close();
  });

  it('B49: no proxy buffers a stream', async () => {
    const stream = await asAgent('/api/events?after=0');
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/) as string,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers.get('content-encoding')).toBeNull();
    const comment = await readUntil(stream, /^: ?\S*$/m, 20_000);
    expect(comment).toBe(true);
  });

  it('B50: what a client has is fetched by its cursor, not as a whole', async () => {
    script('lines.sh', 'for i in 1 2 3; do echo line $i; sleep 0.3; done');
    const { evidence } = await run(agent, owner, ['./lines.sh']);
    const chunks = async (after: number): Promise<{ seq: number }[]> =>
      ((await (await asAgent(`/api/runs/${String(evidence?.run_id)}/output?after=${after}`)).json()) as { items: { seq: number }[] }).items;
    const all = await chunks(0);
    expect(all.length).toBeGreaterThan(1);
    expect(await chunks(all[0]?.seq ?? 0)).toEqual(all.slice(1));
    expect(await chunks(all.at(-1)?.seq ?? 0)).toEqual([]);
  });
});

/** Whether a stream brings something within a time. */
async function readUntil(response: Response, wanted: RegExp, ms: number): Promise<boolean> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const timer = setTimeout(() => void reader?.cancel(), ms);
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    text += value;
    if (wanted.test(text)) break;
  }
  clearTimeout(timer);
  await reader?.cancel();
  return wanted.test(text);
}
