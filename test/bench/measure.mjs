// Small measuring tools: one keep-alive agent, percentiles, CPU and memory of another process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/server.mjs';

const CLOCK_TICKS_PER_SECOND = 100;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function postJson(url, body, headers = {}) {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers } },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text: answer }));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(text);
  });
}

/** One modern tools/call; answers the structured content. */
export async function callTool(mcpUrl, token, name, args = {}) {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const { status, text } = await postJson(
    mcpUrl,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: meta } },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
  );
  if (status !== 200) throw new Error(`${name} answered ${status}: ${text.slice(0, 400)}`);
  const json = text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)?.[1];
  const { result, error } = JSON.parse(json);
  if (error || result.isError) throw new Error(`${name} failed: ${JSON.stringify(error ?? result.structuredContent)}`);
  return result.structuredContent;
}

/** Runs `work(client)` from `clients` loops until `count` calls are done; milliseconds per call, and calls per second. */
export async function load(clients, count, work) {
  const times = [];
  let left = count;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (left > 0) {
        left -= 1;
        const from = performance.now();
        await work(client);
        times.push(performance.now() - from);
      }
    }),
  );
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), perSecond: (count / (performance.now() - startedAt)) * 1_000 };
}

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** CPU milliseconds that a process has used; Linux only. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND) * 1_000;
}

/** Resident MiB of a process; Linux only. */
export function residentMib(pid) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}

export async function startFloor(name, folder) {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('floors.mjs', import.meta.url)), name, String(port), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', (code) => reject(new Error(`The floor ${name} ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => child.kill() };
}
