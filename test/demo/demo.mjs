// Plays one plan from start to verified receipt on a throwaway server: a real MCP client plans, a person approves, the command runs once.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ConsoleClient } from '../support/console-client.mjs';
import { cli, startServer } from '../support/server.mjs';

let step = 0;
const say = (text) => console.log(`${(step += 1)}. ${text}`);

async function connect(url, token) {
  const client = new Client({ name: 'demo-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  return client;
}

async function call(client, name, args) {
  const { structuredContent, isError } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(`${name} answered ${JSON.stringify(structuredContent)}`);
  return structuredContent;
}

async function play(server) {
  say(`A server listens on ${server.url}, with a new data folder and the workspace ${server.workspace}.`);
  const owner = new ConsoleClient(server.url);
  await owner.welcome(server.link, { name: 'first owner' });
  say('A person opened the one-use sign-in link and is now its first owner.');

  await owner.post('/api/people', { name: 'second approver', password: 'a quiet long evening', roles: ['viewer', 'approver'] });
  const approver = new ConsoleClient(server.url);
  await approver.login('second approver', 'a quiet long evening');
  say('The owner added a second person who may approve.');

  const agent = await connect(server.mcp, server.token);
  const { tools } = await agent.listTools();
  say(`An MCP client connected with the agent token and sees ${tools.length} tools.`);

  const plan = await call(agent, 'terminal_plan', { argv: ['touch', 'approved.txt'] });
  say(
    `It planned \`touch approved.txt\`. Policy says: ${plan.decision.outcome}, risk ${plan.decision.risk}: ${plan.decision.reasons.join('; ')}`,
  );

  const early = await agent.callTool({ name: 'terminal_execute', arguments: { session_id: plan.session_id, plan_id: plan.plan_id } });
  say(
    `Running it now is not possible: ${JSON.stringify(early.structuredContent.error?.code ?? early.structuredContent.status)}. It waits as ask ${plan.ask_id}.`,
  );

  await approver.post(`/api/asks/${plan.ask_id}/votes`, { answer: 'approve', digest: plan.digest });
  say(`The second person approved exactly the plan with digest ${plan.digest.slice(0, 16)}…`);

  const finished = await call(agent, 'terminal_execute', { session_id: plan.session_id, plan_id: plan.plan_id });
  say(
    `It ran once: ${finished.receipt.status}, exit code ${finished.receipt.exit_code}; the file ${existsSync(join(server.workspace, 'approved.txt')) ? 'is there' : 'is missing'}.`,
  );

  const again = await agent.callTool({ name: 'terminal_execute', arguments: { session_id: plan.session_id, plan_id: plan.plan_id } });
  say(`A second run is refused: ${again.structuredContent.error.code}.`);

  const file = join(dirname(server.dataDir), 'receipt.json');
  writeFileSync(file, JSON.stringify({ receipt: finished.receipt, evidence: finished.evidence, proof: finished.proof }));
  const keys = join(dirname(server.dataDir), 'keys.json');
  writeFileSync(keys, JSON.stringify(await approver.get('/api/receipts/keys')));
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'verify', file, '--trust', keys], { encoding: 'utf8' });
  say(`The receipt, checked offline (exit code ${status}):`);
  console.log(stdout.trim().replace(/^/gm, '     '));
  if (status !== 0) throw new Error(`verify failed: ${stderr}`);
  await agent.close();
}

const server = await startServer();
try {
  await play(server);
} finally {
  await server.remove();
  say('The server ended and its data folder is gone.');
}
