import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool } from '../bench/measure.mjs';
import { ConsoleClient } from '../support/console-client.mjs';
import { cli, startServer } from '../support/server.mjs';
import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';

/** Receipts as an auditor meets them: the real server, checked in this browser and without it. */
const PASSWORD = 'nine green bottles';

async function ran(server, ...argv) {
  const { session_id, plan_id } = await callTool(server.mcp, server.token, 'terminal_plan', { argv });
  return (await callTool(server.mcp, server.token, 'terminal_execute', { session_id, plan_id })).evidence.id;
}

async function signedIn(open, server, options) {
  const page = await open(options);
  await page.goto(`${server.url}/login`);
  await page.getByLabel('Name').fill('owner');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.includes('login'));
  return page;
}

const at = async (page, server, path) => {
  await page.goto(server.url + path);
  await page.locator('#place').waitFor();
};

async function saved(page, act) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), path: await file.path() };
}

const SIZES = {
  narrow: { width: 360, height: 800 },
  small: { width: 768, height: 1024 },
  usual: { width: 1280, height: 800 },
  wide: { width: 1920, height: 1080 },
};

export default {
  before: async () => {
    const server = await startServer({ env: { RATE_LIMIT_PER_MINUTE: '100000' } });
    writeFileSync(join(server.workspace, 'notes.txt'), 'two lines\nof notes\n');
    const owner = new ConsoleClient(server.url);
    await owner.welcome(server.link, { name: 'owner', password: PASSWORD });
    const ids = [await ran(server, 'ls', '-la'), await ran(server, 'cat', 'notes.txt'), await ran(server, 'ls', 'nowhere')];
    writeFileSync(join(server.workspace, '../keys.json'), JSON.stringify(await owner.get('/api/receipts/keys')));
    return { server, ids, keys: join(server.workspace, '../keys.json') };
  },
  after: (given) => given?.server.remove(),
  tests: {
    'the list is filtered by tool, verdict, kind and time, and the address says so': async ({ server, open }) => {
      const page = await signedIn(open, server);
      const told = complaints(page);
      await at(page, server, '/receipts');
      await page.locator('cs-receipt-row').first().waitFor();
      await page.getByLabel('Tool', { exact: true }).fill('cat');
      await page.waitForURL(/tool=cat/);
      await eventually(async () => assert.deepEqual(await page.locator('cs-receipt-row .c').allInnerTexts(), ['cat notes.txt']));
      await page.getByLabel('Policy said').selectOption('deny');
      await page.getByText('No receipt').first().waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('Kind').selectOption('run');
      await page.getByLabel('Time').selectOption('day');
      await page.waitForURL(/kind=run.*time=day|time=day.*kind=run/);
      await eventually(async () => assert.equal(await page.locator('cs-receipt-row').count(), 3));
      assert.deepEqual(told, []);
    },

    'a chart counts them, and a table says the same': async ({ server, open }) => {
      const page = await signedIn(open, server);
      const told = complaints(page);
      await at(page, server, '/receipts?time=day');
      await page.getByRole('button', { name: 'Chart' }).click();
      await page.locator('cs-volume-chart svg').waitFor();
      await page.getByRole('button', { name: 'As a table' }).click();
      await page.getByRole('columnheader', { name: 'Succeeded' }).waitFor();
      assert.deepEqual(told, []);
    },

    'this browser remembers the ledger, and says when it only grew and when it did not': async ({ server, ids, open }) => {
      const page = await signedIn(open, server);
      await at(page, server, `/receipts/${ids[0]}`);
      await page.getByText('Verified in this browser').waitFor();
      await page.getByText('First look from this browser').waitFor();
      await ran(server, 'pwd');
      await page.reload();
      await page.getByText(/entries go on from the \d+ seen here/).waitFor();
      await page.reload();
      await page.getByText(/Still \d+ entries/).waitFor();
      await page.evaluate(() => {
        const known = JSON.parse(localStorage.getItem('countersign.ledger'));
        localStorage.setItem('countersign.ledger', JSON.stringify({ ...known, size: 2, rootHash: 'ab'.repeat(32) }));
      });
      await page.reload();
      await page.getByText('Something in the past was changed').waitFor();
      await page.reload();
      await page.getByText('Something in the past was changed').waitFor();
      await page.getByRole('button', { name: 'Remember this one from now on' }).click();
      await page.reload();
      await page.getByText(/Still \d+ entries/).waitFor();
    },

    'a chosen field of a copy for others stays readable, and is proved': async ({ server, ids, keys, open }) => {
      const page = await signedIn(open, server);
      await at(page, server, `/receipts/${ids[1]}`);
      await page.getByRole('button', { name: 'Share-safe copy…' }).click();
      await page.getByLabel('/receipt/command', { exact: true }).check();
      await page.getByText('cat notes.txt').last().waitFor();
      await page.waitForTimeout(300);
      const { path } = await saved(page, () => page.getByRole('button', { name: 'Download the copy' }).click());
      const { status, stdout } = spawnSync(process.execPath, [cli, 'verify', path, '--trust', keys], { encoding: 'utf8' });
      assert.match(stdout, /\nVALID/);
      assert.equal(status, 0);
    },

    'a bundle of what the list shows is checked without the server': async ({ server, keys, open }) => {
      const page = await signedIn(open, server);
      await at(page, server, '/receipts?tool=ls');
      await page.getByRole('button', { name: 'Export…' }).click();
      await accessible(page, 'export dialog');
      const { name, path } = await saved(page, () => page.getByRole('link', { name: 'Download' }).click());
      assert.match(name, /^countersign-entries-\d+-\d+\.zip$/);
      const { status, stdout } = spawnSync(process.execPath, [cli, 'verify', path, '--trust', keys], { encoding: 'utf8' });
      assert.match(stdout, /2 of 2 receipts hold/);
      assert.equal(status, 0);
    },

    'two receipts are compared by what differs': async ({ server, ids, open }) => {
      const page = await signedIn(open, server);
      const told = complaints(page);
      await at(page, server, `/receipts/${ids[0]}`);
      await page.getByRole('link', { name: 'Compare…' }).click();
      await page.getByLabel('Compare with').selectOption(ids[2]);
      await page.getByRole('rowheader', { name: '/receipt/exit_code' }).waitFor();
      await page.getByRole('rowheader', { name: '/receipt/command', exact: true }).waitFor();
      await accessible(page, 'compare');
      assert.deepEqual(told, []);
    },

    ...Object.fromEntries(
      Object.entries(SIZES).map(([size, viewport]) => [
        `receipts fit ${viewport.width} px, light and dark`,
        async ({ server, ids, open, root }) => {
          for (const colorScheme of ['light', 'dark']) {
            const page = await signedIn(open, server, { viewport, colorScheme });
            for (const [name, path] of [
              ['list', '/receipts?chart=1&time=day'],
              ['one', `/receipts/${ids[1]}`],
              ['compare', `/receipts/compare?one=${ids[0]}&two=${ids[2]}`],
            ]) {
              await at(page, server, path);
              await page.waitForTimeout(900);
              await page.screenshot({ path: join(root, `test-results/screens/evidence-${name}-${size}-${colorScheme}.png`) });
              await noSidewaysScroll(page, `${name} ${size}`);
              await accessible(page, `${name} ${size} ${colorScheme}`);
            }
            await page.context().close();
          }
        },
      ]),
    ),
  },
};
