// The suite's scenarios for an authorization server, against the product as shipped. The suite prints the address that a person
// would open; here a console session opens it and says yes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleClient } from '../support/console-client.mjs';
import { freePort, startServer } from '../support/server.mjs';

const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];

/** Runs both scenarios and hands each one's checks to `report`. */
export async function checkAuthorization(suite, report) {
  const [port, callbackPort] = [await freePort(), await freePort()];
  const server = await startServer({ port, env: { HOST: 'localhost', PUBLIC_URL: `http://localhost:${port}` } });
  const out = mkdtempSync(join(tmpdir(), 'countersign-authorization-'));
  try {
    const owner = new ConsoleClient(server.url);
    await owner.welcome(server.link);
    const clientId = await register(server.url, `http://127.0.0.1:${callbackPort}/callback`);
    const output = await run(suite, owner, [
      ...['authorization', '--url', `${server.url}/oauth`, '--client-id', clientId],
      ...['--resource', `${server.url}/mcp`, '-p', String(callbackPort), '-o', out],
    ]);
    const folders = readdirSync(out);
    for (const scenario of SCENARIOS) {
      const folder = folders.find((name) => name.includes(scenario));
      report(scenario, folder && JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')), output);
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
    await server.remove();
  }
}

async function register(url, redirectUri) {
  const response = await fetch(`${url}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirectUri] }),
  });
  return (await response.json()).client_id;
}

async function run(suite, owner, args) {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let opened;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      const url = /^(http\S+\/oauth\/auth\?\S+)\s/m.exec(output)?.[1];
      if (url && /Callback server started/.test(output)) opened ??= sayYes(owner, url).catch((error) => (output += `\n${error}`));
    });
  }
  const limit = setTimeout(() => child.kill(), 60_000);
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(limit);
  await opened;
  return output;
}

/** What a browser and a person in front of it do. */
async function sayYes(owner, url) {
  const started = await fetch(url, { redirect: 'manual' });
  const cookies = started.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const path = new URL(started.headers.get('location')).pathname;
  const both = { cookie: [owner.cookie, ...cookies].join('; ') };
  const { scopes } = await (await owner.request('GET', `${path}/request`, undefined, both)).json();
  const given = await owner.request('POST', `${path}/give`, { scopes: scopes.map(({ scope }) => scope) }, both);
  const back = await fetch((await given.json()).url, { redirect: 'manual', headers: { cookie: cookies.join('; ') } });
  await fetch(back.headers.get('location'));
}
