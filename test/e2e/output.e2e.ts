import { jest } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { ConsoleClient } from '../support/console-client.mjs';
import { type Answer, run } from '../support/flow.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { startServer } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

const MiB = 1_048_576;
const MOST_OF_EXECUTOR = 200 * MiB;
let mostOfServer = 250 * MiB;

type Server = Awaited<ReturnType<typeof startServer>>;
let server: Server;
let agent: Client;
let owner: ConsoleClient;

beforeAll(async () => {
  server = await startServer({ env: { MAX_CONCURRENT_SESSIONS: '100' } });
  owner = new ConsoleClient(server.url ?? '');
  await owner.welcome(server.link ?? '');
  agent = await modernOverHttp({ url: server.mcp ?? '', token: server.token ?? '' });
});
afterAll(async () => {
  await agent.close();
  await server.remove();
});
/** The most that either process ever held, from its first moment to now. */
afterEach(() => {
  const peaks = { server: peakOf(server.pid ?? 0), executor: peakOf(executorOf(server.pid ?? 0)) };
  expect(peaks.server).toBeLessThan(mostOfServer);
  expect(peaks.executor).toBeLessThan(MOST_OF_EXECUTOR);
});

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Infinity) * 1_024;
}

/** The one Node process that the server has started. */
function executorOf(pid: number): number {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${pid}\n`);
    } catch {
      return false; // it has ended
    }
  });
  expect(children).toHaveLength(1);
  return Number(children[0]);
}

const script = (name: string, text: string): void =>
  writeFileSync(join(server.workspace ?? '', name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
const outputOf = async (name: string, text: string, more: Record<string, unknown> = {}): Promise<Answer> => {
  script(name, text);
  return run(agent, owner, [`./${name}`], more);
};
/** What stays of a text that is too long: its beginning, one line that says how much is missing, its end. */
const LEFT_OUT = /^([\s\S]*)\n\[\.\.\. ([\d,]+) bytes left out \.\.\.\]\n([\s\S]*)$/;

verifies('output:bounded', '`yes`', async () => {
  const { receipt, evidence } = await run(agent, owner, ['yes'], { limits: { timeout_ms: 20_000 } });
  const [, head = '', , tail = ''] = LEFT_OUT.exec(receipt?.stdout ?? '') ?? [];
  expect([receipt?.output_truncated, head.replaceAll('y\n', ''), tail.replaceAll(/^y?\n|y\n/g, '')]).toEqual([true, '', '']);
  expect(Buffer.byteLength(receipt?.stdout ?? '')).toBeLessThan(MiB + 1_000);
  expect([receipt?.status, evidence?.limit_hit]).toEqual(['failed', 'output']);
  expect(evidence?.stdout?.bytes).toBeGreaterThan(16 * MiB);
});

verifies('output:bounded', 'a line of one gibibyte', async () => {
  const { receipt, evidence } = await outputOf('line.sh', "head -c 1073741824 /dev/zero | tr '\\0' x; echo over >&2", {
    limits: { timeout_ms: 60_000 },
  });
  const [, head = '', missing = '', tail = ''] = LEFT_OUT.exec(receipt?.stdout ?? '') ?? [];
  expect([head.replaceAll('x', ''), tail.replaceAll('x', '')]).toEqual(['', '']);
  expect(Number(missing.replaceAll(',', '')) + head.length + tail.length).toBe(evidence?.stdout?.bytes);
  expect(evidence?.stdout?.bytes).toBeLessThanOrEqual(1_073_741_824);
  expect(evidence?.limit_hit).toBe('output');
  expect(evidence?.survivors).toEqual([]);
});

verifies('output:right-text', 'bytes that are no UTF-8', async () => {
  const { receipt, evidence } = await outputOf('invalid.sh', "printf 'a\\xffb\\xc3(c\\xf0\\x9f\\x98'");
  expect(receipt).toMatchObject({ status: 'succeeded', stdout: 'a\ufffdb\ufffd(c\ufffd', output_truncated: false });
  expect(evidence?.stdout).toMatchObject({ bytes: 9, invalidUtf8: 3 });
});

verifies('output:right-text', 'characters that are split over writes', async () => {
  const bytes = [...Buffer.from('é≤😀—end\n')].map((byte) => `printf '\\x${byte.toString(16)}'; sleep 0.05`);
  const { receipt, evidence } = await outputOf('split.sh', bytes.join('\n'));
  expect(receipt).toMatchObject({ status: 'succeeded', stdout: 'é≤😀—end\n' });
  expect(evidence?.stdout?.invalidUtf8).toBe(0);
});

verifies('output:right-text', 'a megabyte of characters of four bytes, kept whole where it is cut', async () => {
  const { receipt } = await outputOf('emoji.sh', "yes '😀😀😀😀' | head -c 3000001");
  const [, head = '', , tail = ''] = LEFT_OUT.exec(receipt?.stdout ?? '') ?? [];
  expect(head).toMatch(/^[😀\n]+$/u);
  expect(tail.replace(/\ufffd$/, '')).toMatch(/^[😀\n]+$/u); // the program itself stopped inside a character
  expect(receipt?.stdout.isWellFormed()).toBe(true);
});

verifies('output:ends', 'a child that keeps the output open', async () => {
  const since = Date.now();
  const { receipt, evidence } = await outputOf('fork.sh', '(setsid sleep 300 &)\n(sleep 300 &)\nsleep 300 & disown\necho done', {
    limits: { timeout_ms: 60_000 },
  });
  expect(receipt).toMatchObject({ status: 'succeeded', exit_code: 0, stdout: 'done\n' });
  expect(evidence?.survivors).toEqual([]);
  expect(Date.now() - since).toBeLessThan(15_000);
});

verifies('output:ends', 'programs that close their output and stay, and one that writes to its end', async () => {
  const quiet = await outputOf('quiet.sh', 'exec >&- 2>&-; sleep 1; exit 4');
  expect(quiet.receipt).toMatchObject({ status: 'failed', exit_code: 4, stdout: '' });
  const last = await outputOf('last.sh', 'trap "echo bye" EXIT; echo -n hello; exit 0');
  expect(last.receipt).toMatchObject({ status: 'succeeded', stdout: 'hellobye\n' });
});

verifies('output:bounded', 'two streams each of four runs at once', async () => {
  mostOfServer = 350 * MiB; // eight kept megabytes, signed, stored and answered at the same time
  script('flood.sh', 'yes out & yes err >&2 & wait');
  const floods = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { structuredContent } = await agent.callTool({ name: 'terminal_open_session', arguments: {} });
      const { session_id } = structuredContent as { session_id: string };
      return run(agent, owner, ['./flood.sh'], { session_id, limits: { timeout_ms: 30_000 } });
    }),
  );
  for (const { receipt, evidence } of floods) {
    expect(receipt?.output_truncated).toBe(true);
    expect(evidence?.survivors).toEqual([]);
    expect(receipt?.stdout.startsWith('out\nout\n')).toBe(true);
    expect(receipt?.stderr.startsWith('err\nerr\n')).toBe(true);
  }
});
