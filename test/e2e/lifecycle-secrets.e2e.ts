import { jest } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { AppEvent } from '#contracts';
import { ConsoleClient } from '../support/console-client.mjs';
import { EventReader } from '../support/event-source.js';
import { type Answer, run } from '../support/flow.js';
import { lifecycle, type Verdict } from '../support/lifecycle.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { startServer, temporaryFolder } from '../support/server.mjs';

jest.setTimeout(120_000);

/** The one secret that this server is configured with. */
const KEY = 'f1d2'.repeat(16);
const ESC = '\u001b';

type Server = Awaited<ReturnType<typeof startServer>>;
let server: Server;
let agent: Client;
let owner: ConsoleClient;
beforeAll(async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'site'));
  server = await startServer({
    dataDir: join(home, 'data'),
    env: { COUNTERSIGN_SECRET_KEY: KEY, WORKSPACE_ROOT: join(home, 'site'), APPROVAL_MODE: 'confirm', LOG_LEVEL: 'debug' },
  });
  owner = new ConsoleClient(server.url ?? '');
  await owner.welcome(server.link ?? '');
  agent = await modernOverHttp({ url: server.mcp ?? '', token: server.token ?? '' });
});
afterAll(async () => {
  await agent.close();
  await server.stop();
  rmSync(dirname(server.dataDir), { recursive: true, force: true });
});

const site = (name: string): string => join(server.workspace ?? '', name);

/** What a file of the workspace looks like in the receipt of `cat`. */
async function shown(name: string, content: string): Promise<{ readonly text: string; readonly answer: Answer }> {
  writeFileSync(site(name), content);
  const answer = await run(agent, owner, ['cat', name]);
  expect(answer.receipt?.status).toBe('succeeded');
  return { text: answer.receipt?.stdout ?? '', answer };
}

/** Everything that anyone can read of a run: receipt, output, stream, plan, events, log. */
async function everywhere({ evidence, receipt }: Answer): Promise<string> {
  const runId = String(evidence?.run_id);
  const authorization = `Bearer ${server.token ?? ''}`;
  const read = async (path: string): Promise<string> => (await fetch(`${server.url ?? ''}${path}`, { headers: { authorization } })).text();
  const events = await EventReader.open<AppEvent>(`${server.url ?? ''}/api/events?after=0`, { authorization });
  await events.next((event) => event.type === 'run.ended' && event.runId === runId);
  const parts = [
    ...(await Promise.all([`/api/runs/${runId}/output`, `/api/runs/${runId}/stream`, `/api/receipts/${String(receipt?.id)}`].map(read))),
    JSON.stringify(await owner.get(`/api/plans/${String(receipt?.plan_id)}`)),
    JSON.stringify(events.frames),
    server.output(),
  ];
  await events.close();
  return parts.join('\n');
}

function redacted(text: string, ...secrets: readonly string[]): Verdict {
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).toContain('[REDACTED:');
  return 'redacted';
}

lifecycle('RD-01-known', async () => {
  const { text } = await shown('plain.txt', `before ${KEY} after\n`);
  expect(text).toBe('before [REDACTED:known-secret] after\n');
  return redacted(text, KEY);
});

lifecycle('RD-02-base64', async () => {
  const lines = ['', 'a', 'ab', 'user:'].map((before) => Buffer.from(`${before}${KEY}`).toString('base64'));
  const others = [Buffer.from(KEY).toString('hex'), encodeURIComponent(KEY), Array.from(KEY).reverse().join('')];
  const { text } = await shown('encoded.txt', `${[...lines, ...others].join('\n')}\n`);
  expect(
    text
      .trimEnd()
      .split('\n')
      .every((line) => line.includes('[REDACTED:known-secret]')),
  ).toBe(true);
  return redacted(text, ...lines.map((line) => line.slice(8, -8)), ...others);
});

lifecycle('RD-04-pem', async () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { text } = await shown('key.pem', `head\n${key}tail\n`);
  expect(text).toBe('head\n[REDACTED:private-key]\ntail\n');
  return redacted(text, ...key.split('\n').filter((line) => line.length === 64));
});

lifecycle('RD-05-ansi', async () => {
  const colored = Array.from(KEY).join(`${ESC}[1m`);
  const { text } = await shown('colored.txt', `key ${colored} end\n`);
  expect(text).toMatch(/^key .*end\n$/);
  return redacted(text.replaceAll(`${ESC}[1m`, ''), KEY);
});

lifecycle('RD-07-argv', async () => {
  const secret = 'zX9-correct-battery-42';
  writeFileSync(site('deploy.sh'), '#!/bin/sh\necho deployed\n', { mode: 0o755 });
  const answer = await run(agent, owner, ['./deploy.sh', `--token=${secret}`, '--password', secret]);
  expect(answer.receipt).toMatchObject({ status: 'succeeded', stdout: 'deployed\n' });
  const receipt = JSON.stringify(answer);
  expect(answer.receipt?.command).toContain('[REDACTED:secret-assignment]');
  return redacted(receipt, secret, Buffer.from(secret).toString('base64').slice(0, -4));
});

lifecycle('RD-08-events', async () => {
  writeFileSync(site('leak.sh'), `#!/bin/sh\necho "out ${KEY}"; echo "err ${KEY}" >&2; sleep 0.3; echo "late ${KEY}"\n`, { mode: 0o755 });
  const answer = await run(agent, owner, ['./leak.sh']);
  const text = await everywhere(answer);
  expect(text).toContain('out [REDACTED:known-secret]');
  expect(text).toContain('err [REDACTED:known-secret]');
  // Errors that would name it: a folder and a file that are not there.
  const refusal = JSON.stringify(await (await owner.request('POST', '/api/plans', { argv: ['ls'], cwd: KEY })).json());
  const missing = await run(agent, owner, ['cat', KEY]);
  return redacted(`${text}${refusal}${JSON.stringify(missing)}${server.output()}`, KEY);
});
