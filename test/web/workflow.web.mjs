import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startServer } from '../support/server.mjs';
import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';

/** The product itself, its real server and a real MCP client, driven in Chromium by keyboard alone. */
const PASSWORD = 'nine green bottles';

/** Talks, counts and complains, with every kind of sequence that must not act. */
const SCRIPT = `
process.stdout.write('\\u001B[32mready\\u001B[0m \\u001B]8;;http://evil.test\\u0007link\\u001B]8;;\\u0007 \\u001B]0;owned\\u0007\\u202Eturned\\n');
process.stderr.write('a warning\\n');
let count = 0;
setInterval(() => { console.log('tick ' + (count += 1)); if (count === Number(process.argv[2])) process.exit(0); }, 150);
`;

async function mcpClient({ mcp, token }) {
  const client = new Client(
    { name: 'web-workflow', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: {} },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;
  return { call, close: () => client.close() };
}

/** Tab until an element with this name has the focus, as a person without a mouse. */
async function tabTo(page, name, most = 60) {
  for (let count = 0; count < most; count += 1) {
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
    });
    if (at.startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached “${name}”`);
}

const look = async (page, root, name) => {
  await page.screenshot({ path: join(root, `test-results/screens/flow-${name}.png`) });
  await noSidewaysScroll(page, name);
  await accessible(page, name);
};

const settle = (page) => page.waitForTimeout(500);

export default {
  before: async () => {
    const server = await startServer();
    writeFileSync(join(server.workspace, 'ticks.mjs'), SCRIPT);
    writeFileSync(join(server.workspace, 'notes.txt'), 'two lines\nof notes\n');
    return { server, agent: await mcpClient(server), kept: {} };
  },
  after: async (given) => {
    await given?.agent.close();
    await given?.server.remove();
  },
  tests: {
    'the first owner signs in through the link and sees the way to a first receipt, by keyboard': async ({ server, open, root, kept }) => {
      const page = await open();
      const told = complaints(page);
      await page.goto(server.link);
      await page.getByLabel('Your name').waitFor();
      await look(page, root, '1-welcome');
      await page.getByLabel('Your name').focus();
      await page.keyboard.type('Ada');
      await page.keyboard.press('Tab');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
      await page.getByText(server.workspace).waitFor();
      assert.equal(new URL(page.url()).hash, '');
      await look(page, root, '2-onboarding');
      kept.state = await page.context().storageState();
      await page.goto(server.link);
      await page.reload();
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
      assert.deepEqual(told, []);
    },

    'a command that an agent plans over MCP waits, is approved, runs, and leaves a receipt that verifies, by keyboard': async ({
      server,
      agent,
      open,
      root,
      kept,
    }) => {
      const page = await open({ storageState: kept.state });
      const told = complaints(page);
      await page.goto(server.url);
      await page.getByText('Nothing waits for you.').waitFor();
      const planned = await agent.call('terminal_plan', { argv: ['node', 'ticks.mjs', '20'] });
      assert.equal(planned.status, 'awaiting_approval');
      await page.getByText('waits for you').first().waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('i');
      await page.waitForURL(new RegExp(planned.ask_id));
      await page.getByText('Why it asks you').waitFor();
      await settle(page);
      await look(page, root, '3-ask');
      assert.equal(
        await page
          .locator('cs-argv .a')
          .allInnerTexts()
          .then((words) => words.join(' ')),
        'node ticks.mjs 20',
      );
      await page.keyboard.press('a');
      await eventually(async () =>
        assert.ok((await page.getByText('Approved once by you').count()) + (await page.getByText('You allow once:').count()) > 0),
      );
      if (await page.getByText('You allow once:').isVisible()) {
        await page.waitForTimeout(1200);
        await page.keyboard.press('Shift+A');
      }
      await page.getByText('Approved once by you').waitFor();
      await look(page, root, '4-approved');
      const executed = agent.call('terminal_execute', { session_id: planned.session_id, plan_id: planned.plan_id });
      const see = page.getByRole('link', { name: 'See the run' });
      await see.waitFor();
      await tabTo(page, 'See the run');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/runs\//);
      const rows = page.locator('.xterm-rows');
      await eventually(async () => assert.match(await rows.innerText(), /tick 3/));
      assert.match(await rows.innerText(), /ready link\s+⟨U\+202E⟩turned/);
      await page.locator('.gutter .err').first().waitFor();
      await look(page, root, '5-run');
      const { receipt } = await executed;
      await page.getByRole('link', { name: /Open the receipt/ }).waitFor();
      assert.match(await rows.innerText(), /tick 20/);
      await page.keyboard.press('v');
      await page.waitForURL(new RegExp(receipt.id));
      await page.getByText('Verified in this browser').waitFor();
      await page.getByRole('img', { name: /^Seal/ }).waitFor();
      await page.getByRole('heading', { name: /ran one command, once, after Ada countersigned it/ }).waitFor();
      await look(page, root, '6-receipt');
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.locator('cs-receipt-row').first().waitFor();
      await look(page, root, '7-receipts');
      assert.deepEqual(told, []);
    },

    'an agent is told who rejected its plan, and why': async ({ server, agent, open, kept }) => {
      const page = await open({ storageState: kept.state });
      const planned = await agent.call('terminal_plan', { argv: ['node', 'ticks.mjs', '1'] });
      await page.goto(`${server.url}/asks/${planned.ask_id}`);
      await page.getByText('Why it asks you').waitFor();
      await settle(page);
      await page.keyboard.press('r');
      await page.getByLabel(/Why\?/).waitFor();
      await settle(page);
      await page.keyboard.type('Not on a Friday');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Denied by you').waitFor();
      const answer = await agent.call('terminal_execute', { session_id: planned.session_id, plan_id: planned.plan_id });
      assert.equal(answer.error?.code, 'PLAN_REJECTED');
    },

    'a person plans by hand, countersigns, pauses, resumes and cancels the run': async ({ server, open, root, kept }) => {
      const page = await open({ storageState: kept.state });
      const told = complaints(page);
      await page.goto(`${server.url}/plans/new`);
      await page.getByLabel('Command line').fill('node ticks.mjs 2000');
      await page.getByRole('button', { name: 'Plan it' }).press('Enter');
      await page.waitForURL(/\/asks\//);
      await page.getByText('Why it asks you').waitFor();
      await settle(page);
      await page.keyboard.press('a');
      await eventually(async () =>
        assert.ok((await page.getByText('Approved once by you').count()) + (await page.getByText('You allow once:').count()) > 0),
      );
      if (await page.getByText('You allow once:').isVisible()) {
        await page.waitForTimeout(1200);
        await page.keyboard.press('Shift+A');
      }
      await tabTo(page, 'Run it…');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/plans\//);
      await page.getByRole('button', { name: /Run once/ }).waitFor();
      await page.waitForTimeout(300);
      await look(page, root, '8-plan');
      await page.keyboard.press('Shift+R');
      await page.waitForURL(/\/runs\//);
      const rows = page.locator('.xterm-rows');
      await eventually(async () => assert.match(await rows.innerText(), /tick 3/));
      await page.keyboard.press('p');
      await page.getByRole('button', { name: /Resume/ }).waitFor();
      await page.waitForTimeout(400);
      const held = await rows.innerText();
      await page.waitForTimeout(700);
      assert.equal(await rows.innerText(), held);
      await page.keyboard.press('p');
      await eventually(async () => assert.notEqual(await rows.innerText(), held));
      await page.keyboard.press('c');
      await page.getByRole('dialog').getByText('Cancel this run?').waitFor();
      await page.waitForTimeout(300);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /Open the receipt/ }).waitFor();
      await page.getByText('Cancelled').first().waitFor();
      await page.keyboard.press('v');
      await page.getByText('Verified in this browser').waitFor();
      assert.deepEqual(told, []);
    },

    'what only reads runs without a signature and its receipt says so': async ({ server, agent, open, root, kept }) => {
      const planned = await agent.call('terminal_plan', { argv: ['cat', 'notes.txt'] });
      const { receipt } = await agent.call('terminal_execute', { session_id: planned.session_id, plan_id: planned.plan_id });
      const page = await open({ storageState: kept.state, viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true });
      await page.goto(`${server.url}/receipts/${receipt.id}`);
      await page.getByText('Verified in this browser').waitFor();
      await page.getByText('as policy allows').waitFor();
      await look(page, root, '9-receipt-360');
    },

    'policy explains a command as the server judges it': async ({ server, open, kept }) => {
      const page = await open({ storageState: kept.state });
      await page.goto(`${server.url}/policy/explain`);
      await page.getByRole('textbox', { name: 'Command' }).fill('sudo rm -rf /');
      await page.keyboard.press('Control+Enter');
      await page.getByText('the mode of this workspace').waitFor();
      assert.equal((await page.locator('.mode').getByText('Blocked').count()) >= 3, true);
    },

    'people, tokens and workspaces are managed by their owner': async ({ server, open, root, kept }) => {
      const page = await open({ storageState: kept.state });
      const told = complaints(page);
      await page.goto(`${server.url}/admin/tokens`);
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name of the token').fill('ci');
      await page.getByRole('button', { name: 'Create token' }).click();
      const secret = await page.locator('.secret code').innerText();
      assert.match(secret, /^csn_/);
      const as = (token) => fetch(`${server.url}/api/workspaces`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal((await as(secret)).status, 200);
      await page.getByRole('button', { name: 'Revoke ci' }).click();
      await page.getByLabel('Type ci to go on').fill('ci');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke ci' }).click();
      await eventually(async () => assert.equal((await as(secret)).status, 401));
      await page.goto(`${server.url}/admin/people`);
      await page.getByRole('button', { name: 'New person' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Grace');
      await page.getByLabel('New password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Add person' }).click();
      await page.getByRole('cell', { name: 'Grace', exact: true }).waitFor();
      await look(page, root, '10-people');
      await page.goto(`${server.url}/admin/workspaces`);
      await page.getByLabel('Mode of workspace').selectOption('inspect');
      await page.getByRole('dialog').getByRole('button', { name: 'Set to inspect' }).click();
      await eventually(async () => assert.equal(await page.getByLabel('Mode of workspace').inputValue(), 'inspect'));
      await page.getByLabel('Mode of workspace').selectOption('confirm');
      await page.getByRole('dialog').getByRole('button', { name: 'Set to confirm' }).click();
      await eventually(async () => assert.equal(await page.getByLabel('Mode of workspace').inputValue(), 'confirm'));
      assert.deepEqual(told, []);
    },

    'a viewer sees receipts and no way to decide or configure': async ({ server, open }) => {
      const page = await open();
      await page.goto(server.url);
      await page.getByLabel('Name').fill('Grace');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Went wrong today' }).waitFor();
      await page.goto(`${server.url}/receipts`);
      await page.locator('cs-receipt-row').first().waitFor();
      await page.goto(`${server.url}/admin/people`);
      await page.waitForURL(/admin\/tokens/);
      assert.equal(await page.getByRole('link', { name: 'People' }).count(), 0);
      assert.equal(await page.getByRole('link', { name: 'Plan a command' }).count(), 0);
    },

    'signing out ends the session everywhere': async ({ server, open }) => {
      const page = await open();
      await page.goto(`${server.url}/login`);
      await page.getByLabel('Name').fill('Grace');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Went wrong today' }).waitFor();
      await page.getByRole('button', { name: /settings and sign-out/ }).press('Enter');
      await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
      await page.waitForURL(/login/);
      await page.goto(`${server.url}/receipts`);
      await page.waitForURL(/login/);
    },
  },
};
