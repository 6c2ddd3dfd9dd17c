import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { call, execute, plan, run, vote } from '../support/flow.js';

jest.setTimeout(60_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;
let server: Server;
let host: string;
const asked: string[] = [];

beforeAll(async () => {
  api = await boot();
  agent = await api.mcp();
  owner = await api.owner();
  server = createServer((message, response) => {
    asked.push(message.url ?? '');
    response.end('a page\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
beforeEach(() => asked.splice(0));
afterAll(async () => {
  server.close();
  await api.close();
});

it('a command reaches the host that it names, and no other, and the receipt says so', async () => {
  const planned = await plan(agent, ['curl', '-sS', `http://${host}/x`]);
  expect(planned).toMatchObject({ status: 'awaiting_approval', limits: { network: { hosts: [host] } }, sandbox: { network: 'hosts' } });
  expect(await owner.get(`/api/plans/${planned.plan_id}`)).toMatchObject({
    body: { limits: { network: { hosts: [host] } } },
    decision: { stages: [{ hosts: [host] }] },
  });
  await vote(owner, planned);
  const { receipt, evidence } = await execute(agent, planned);
  expect(receipt).toMatchObject({ status: 'succeeded', stdout: 'a page\n' });
  expect(evidence).toMatchObject({
    sandbox: { network: 'hosts', enforcement: 'full' },
    limits: { network: { hosts: [host] } },
    network: { hosts: [host], refused: 0, connections: [{ host: '127.0.0.1', address: '127.0.0.1', allowed: true }] },
  });
  expect(asked).toEqual(['/x']);
});

it('a plan may ask for hosts; a person sees them, and what was not granted is refused and written down', async () => {
  writeFileSync(
    join(api.workspace, 'visit.sh'),
    `#!/bin/sh\ncurl -sS http://${host}/granted\ncurl -sS -o /dev/null -w '%{http_code}' http://10.1.2.3/other\n`,
    { mode: 0o755 },
  );
  const alone = await run(agent, owner, ['./visit.sh']);
  expect(alone).toMatchObject({ receipt: { status: 'failed' }, evidence: { sandbox: { network: 'none' } } });
  expect(alone.evidence?.network).toBeUndefined();

  const planned = await plan(agent, ['./visit.sh'], { limits: { network: { hosts: [host] } } });
  expect(planned).toMatchObject({
    status: 'awaiting_approval',
    decision: { risk: 'high', rules: expect.arrayContaining(['network.hosts']) as unknown },
  });
  await vote(owner, planned);
  const { receipt, evidence } = await execute(agent, planned);
  expect(receipt).toMatchObject({ status: 'succeeded', stdout: 'a page\n403' });
  expect(evidence?.network).toMatchObject({ refused: 1, connections: [{ allowed: true }, { host: '10.1.2.3', port: 80, allowed: false }] });
  expect(asked).toEqual(['/granted']);
});

it('other hosts are another plan', async () => {
  const one = await plan(agent, ['./visit.sh'], { limits: { network: { hosts: ['a.example.org'] } } });
  const other = await plan(agent, ['./visit.sh'], { limits: { network: { hosts: ['b.example.org'] } } });
  expect(other.digest).not.toBe(one.digest);
  expect(await owner.post(`/api/asks/${other.ask_id}/votes`, { answer: 'approve', digest: one.digest }).catch(String)).toMatch(
    /DIGEST|409/,
  );
});

it('what leaves its hosts open is refused with what would help; what is no host is no limit', async () => {
  const refused = await call(agent, 'terminal_plan', { argv: ['git', 'fetch', 'upstream'] });
  expect(refused).toMatchObject({ status: 'blocked' });
  expect(JSON.stringify(refused)).toContain('limits.network.hosts');
  expect(await call(agent, 'terminal_plan', { argv: ['ls'], limits: { network: { hosts: ['https://a.example'] } } })).toMatchObject({
    error: { code: 'LIMITS_INVALID', details: { limit: 'network' } },
  });
});

it('package tools get the hosts of their registry', async () => {
  expect(await plan(agent, ['npm', 'install', 'left-pad'])).toMatchObject({ limits: { network: { hosts: ['registry.npmjs.org'] } } });
  expect(await plan(agent, ['pip', 'install', 'requests'])).toMatchObject({
    limits: { network: { hosts: ['pypi.org', 'files.pythonhosted.org'] } },
  });
  expect(await plan(agent, ['curl', 'https://example.com'])).toMatchObject({ limits: { network: { hosts: ['example.com'] } } });
});
