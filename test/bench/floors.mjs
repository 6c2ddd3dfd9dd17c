// The floors: the least that each measured path could cost, each in a process of its own. Run as `node floors.mjs NAME PORT FOLDER`.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import * as z from 'zod';

/** Plan, started and receipt are one FULL commit each; the command is spawned with piped output. */
async function command(port, folder) {
  const db = new DatabaseSync(join(folder, 'floor.db'), { timeout: 5_000 });
  db.exec(
    'pragma journal_mode=wal; pragma synchronous=full; create table if not exists rows (id text primary key, status text, body text)',
  );
  const insert = db.prepare('insert into rows values (?, ?, ?)');
  const update = db.prepare('update rows set status = ? where id = ?');
  const app = Fastify();
  app.post('/plan', (request) => {
    const id = crypto.randomUUID();
    insert.run(id, 'approved', JSON.stringify(request.body));
    return { id };
  });
  app.post('/execute', async (request) => {
    const { id } = request.body;
    update.run('running', id);
    const { code, stdout } = await runOnce('/usr/bin/true');
    insert.run(crypto.randomUUID(), 'receipt', JSON.stringify({ id, code, stdout }));
    return { code };
  });
  await app.listen({ port, host: '127.0.0.1' });
}

function runOnce(path) {
  const child = spawn(path, [], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.resume();
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout })));
}

/** A bare SDK server with one tool. */
async function tool(port) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'floor', version: '1.0.0' });
    const output = z.object({ name: z.string() });
    server.registerTool(
      'whoami',
      { description: 'Who is calling', inputSchema: z.object({}), outputSchema: output, annotations: { readOnlyHint: true } },
      () => {
        const structuredContent = { name: 'floor' };
        return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
      },
    );
    return server;
  });
  const node = toNodeHandler(handler);
  const app = Fastify();
  app.post('/mcp', (request, reply) => {
    reply.hijack();
    return node(request.raw, reply.raw, request.body);
  });
  await app.listen({ port, host: '127.0.0.1' });
}

/** Raw SSE fan-out of one pre-serialised frame to all viewers; POST /go starts `rate` frames a second for `seconds`. */
async function stream(port) {
  const viewers = new Set();
  const frame = (seq) => Buffer.from(`id: ${seq}\ndata: ${JSON.stringify({ seq, type: 'session.closed', pad: 'x'.repeat(180) })}\n\n`);
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      const { searchParams } = new URL(request.url, 'http://floor');
      send(Number(searchParams.get('rate')), Number(searchParams.get('seconds')));
      response.end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(': open\n\n');
    viewers.add(response);
    response.on('close', () => viewers.delete(response));
  });
  const send = (rate, seconds) => {
    let seq = 0;
    const timer = setInterval(() => {
      seq += 1;
      const bytes = frame(seq);
      for (const viewer of viewers) viewer.write(bytes);
      if (seq >= rate * seconds) clearInterval(timer);
    }, 1_000 / rate);
  };
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

const FLOORS = { command, tool, stream };
const [name, port, folder] = process.argv.slice(2);
await FLOORS[name](Number(port), folder);
console.log('Ready');
