// The most memory that server and executor ever hold while one gibibyte of program output passes through them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../support/server.mjs';
import { callTool } from './measure.mjs';

const MIB = 1_048_576;
const IN_ALL = 1_024 * MIB;
/** More than a run may print before it is ended. */
const FILE_BYTES = 20 * MIB;

/** Run after run prints until it is ended for it, each with a receipt of a kept megabyte. */
export async function measureOutputMemory(inAll = IN_ALL) {
  const server = await startServer({ env: { RATE_LIMIT_PER_MINUTE: '10000000', LOG_LEVEL: 'error' } });
  try {
    const line = 'drwxr-xr-x 12 root root 4096 Nov 30 15:36 src/components/list.ts: const value = compute(input, options);\n';
    writeFileSync(join(server.workspace, 'long.txt'), line.repeat(Math.ceil(FILE_BYTES / line.length)));
    const idle = peakMib(server.pid);
    let bytes = 0;
    let runs = 0;
    const startedAt = performance.now();
    for (; bytes < inAll; runs += 1) bytes += await printed(server);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [executor] = childrenOf(server.pid);
    return { runs, bytes, idle, mibPerSecond: bytes / MIB / seconds, server: peakMib(server.pid), executor: peakMib(executor) };
  } finally {
    await server.remove();
  }
}

async function printed({ mcp, token }) {
  const { session_id } = await callTool(mcp, token, 'terminal_open_session');
  const { plan_id } = await callTool(mcp, token, 'terminal_plan', { session_id, argv: ['cat', 'long.txt'] });
  const { receipt, evidence } = await callTool(mcp, token, 'terminal_execute', { session_id, plan_id });
  if (evidence?.limit_hit !== 'output' || !receipt.output_truncated) throw new Error(`no flood: ${JSON.stringify(evidence).slice(0, 300)}`);
  await callTool(mcp, token, 'terminal_close_session', { session_id });
  return evidence.stdout.bytes;
}

function peakMib(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}

/** Processes that a process has started; Linux only. */
function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
