import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startServer } from '../support/server.mjs';
import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';

/** The pages of policy on the product itself: what a person saves there is what the server judges an agent by. */
const PASSWORD = 'nine green bottles';

const FIRST = `name: Careful
rules:
  - name: no-touching
    match: { tool: touch }
    outcome: deny
    reason: Files are made by the build.
    examples:
      match: [touch a]
      not_match: [git status]
`;
const BROKEN = FIRST.replace('outcome: deny', 'outcom: deny');
const UNTRUE = FIRST.replace('[git status]', '[touch b]');
const SECOND = 'name: Calm\nrules: []\n';

async function mcpClient({ mcp, token }) {
  const client = new Client(
    { name: 'web-rules', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: {} },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  const plan = async (...argv) => (await client.callTool({ name: 'terminal_plan', arguments: { argv } })).structuredContent;
  return { plan, close: () => client.close() };
}

/** In the place of the whole text of the editor. */
async function rewrite(page, text) {
  await page.getByRole('textbox', { name: 'Policy as YAML' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const side = (page, name) => page.getByRole('tab', { name }).or(page.getByRole('link', { name })).first().click();

async function replayed(page, counts) {
  await side(page, /^Replay/);
  const act = page.getByRole('button', { name: 'Replay on history' });
  await eventually(async () => assert.notEqual(await act.getAttribute('aria-disabled'), 'true'));
  await act.click();
  await page.locator('cs-replay-summary').getByText(counts).waitFor();
}

async function look(page, root, name) {
  await page.screenshot({ path: join(root, `test-results/screens/rules-${name}.png`) });
  await noSidewaysScroll(page, name);
  await accessible(page, name);
}

/** A press just after the facts came does not count, so it is made again until the page has moved on. */
async function approveForSession(page) {
  const way = page.getByRole('menuitem', { name: /Approve for this session/ });
  const outcome = page.getByText('Approved once by you');
  const second = page.getByText('You allow for this session:');
  await eventually(async () => {
    if ((await outcome.count()) + (await second.count()) > 0) return;
    if (!(await way.isVisible())) await page.getByRole('button', { name: 'More ways to approve' }).click({ timeout: 2_000 });
    await way.click({ timeout: 2_000 });
    await outcome.or(second).first().waitFor({ timeout: 1_000 });
  }, 20_000);
  if (await second.isVisible()) {
    const sign = page.getByRole('button', { name: /in this session/ });
    await eventually(async () => assert.notEqual(await sign.getAttribute('aria-disabled'), 'true'));
    await sign.click();
  }
  await outcome.waitFor();
}

export default {
  before: async () => {
    const server = await startServer();
    writeFileSync(join(server.workspace, 'notes.txt'), 'two lines\nof notes\n');
    return { server, agent: await mcpClient(server), kept: {} };
  },
  after: async (given) => {
    await given?.agent.close();
    await given?.server.remove();
  },
  tests: {
    'an administrator signs in, is told at its line what is wrong, replays and saves with a note': async (use) => {
      const { server, agent, open, root, kept } = use;
      assert.equal((await agent.plan('touch', 'a')).status, 'awaiting_approval');
      const page = await open();
      const told = complaints(page);
      await page.goto(server.link);
      await page.getByLabel('Your name').fill('Ada');
      await page
        .getByLabel(/assword/)
        .first()
        .fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
      kept.state = await page.context().storageState();

      await page.goto(`${server.url}/policy/edit`);
      const save = page.getByRole('button', { name: 'Save version 1' });
      await page.getByText('Nothing has changed yet.').waitFor();
      await rewrite(page, BROKEN);
      await page.getByText('1 problem', { exact: true }).waitFor();
      await page.locator('.cm-lint-marker-error').waitFor();
      await page.getByText('Mend what is wrong first.').waitFor();
      await page.getByRole('button', { name: 'Line 5', exact: true }).click();
      await eventually(async () => assert.match(await page.locator('.cm-activeLine').innerText(), /outcom: deny/));
      await look(page, root, '1-problem');

      await rewrite(page, UNTRUE);
      await page.getByText('1 example fails').waitFor();
      await page.getByRole('button', { name: 'Line 9', exact: true }).first().waitFor();
      await page.getByText('Mend what is wrong first.').waitFor();

      await rewrite(page, FIRST);
      await page.getByText('All 2 examples hold.').waitFor();
      await replayed(page, '1 stricter');
      await page.locator('cs-replay-table .row', { hasText: 'touch a' }).getByText('no-touching').waitFor();
      await page.getByLabel('What changes, and why').fill('The build makes files');
      await eventually(async () => assert.notEqual(await save.getAttribute('aria-disabled'), 'true'));
      await look(page, root, '2-replayed');
      await save.click();
      await page.waitForURL(/versions\?version=1/);
      await page.getByRole('heading', { name: 'Version 1 against nothing' }).waitFor();
      await page.getByText('The build makes files').waitFor();
      await page.locator('cs-rule-changes').getByText('no-touching').waitFor();
      await page.locator('cs-diff .added', { hasText: 'name: no-touching' }).waitFor();
      const denied = await agent.plan('touch', 'b');
      assert.deepEqual([denied.status, denied.ask_id ?? null], ['blocked', null]);
      assert.deepEqual(told, []);
    },

    'what asks less is opened and confirmed before it is saved; the older version comes back as a new one': async (use) => {
      const { server, agent, open, root, kept } = use;
      const page = await open({ storageState: kept.state });
      const told = complaints(page);
      await page.goto(`${server.url}/policy/edit`);
      await page.getByText('Nothing has changed yet.').waitFor();
      await rewrite(page, SECOND);
      await page.getByText('Draft of version 1').waitFor();
      await page.getByLabel('What changes, and why').fill('Let people decide');
      await replayed(page, '1 looser');
      await page.getByText('Open every looser row first: 1 left.').waitFor();
      await page.locator('cs-replay-table .row', { hasText: 'Looser' }).getByRole('button').click();
      const save = page.getByRole('button', { name: 'Save version 2' });
      await eventually(async () => assert.notEqual(await save.getAttribute('aria-disabled'), 'true'));
      await save.click();
      const dialog = page.getByRole('dialog');
      await dialog.filter({ hasText: 'Save rules that ask less often?' }).getByRole('button', { name: 'Save version 2' }).click();
      await dialog.filter({ hasText: 'Save without these rules?' }).getByRole('button', { name: 'Save version 2' }).click();
      await page.waitForURL(/versions\?version=2/);
      await page.getByRole('heading', { name: 'Version 2 against Version 1' }).waitFor();
      await page.locator('cs-diff .removed', { hasText: 'name: no-touching' }).waitFor();
      assert.equal((await agent.plan('touch', 'c')).status, 'awaiting_approval');

      await page.getByRole('link', { name: /Version 1/ }).click();
      await page.getByRole('button', { name: 'Restore…' }).click();
      await page
        .locator('cs-replay-summary')
        .getByText(/stricter/)
        .waitFor();
      await page.getByLabel('What changes, and why').fill('The build makes files after all');
      await page.getByRole('button', { name: 'Restore as version 3' }).click();
      await page.waitForURL(/version=3/);
      await page.getByText('brings back version 1').waitFor();
      await page.getByRole('heading', { name: 'Version 3 against Version 2' }).waitFor();
      await look(page, root, '3-restored');
      assert.equal((await agent.plan('touch', 'd')).status, 'blocked');
      assert.deepEqual(told, []);
    },

    'an approval for the session answers the next command of its kind, is counted, and ends when it is revoked': async (use) => {
      const { server, agent, open, root, kept } = use;
      const first = await agent.plan('cp', 'notes.txt', 'one.txt');
      const page = await open({ storageState: kept.state });
      const told = complaints(page);
      await page.goto(`${server.url}/asks/${first.ask_id}`);
      await page.getByText('Why it asks you').waitFor();
      await approveForSession(page);
      await page.goto(`${server.url}/policy/remembered`);
      const row = page.locator('cs-remembered-page li', { hasText: 'cp notes.txt one.txt' });
      await row.getByText('0 times').waitFor();
      assert.equal((await agent.plan('cp', 'notes.txt', 'two.txt')).status, 'approved');
      await row.getByText('1 time', { exact: false }).waitFor();
      await look(page, root, '4-remembered');
      await row.getByRole('button', { name: 'Revoke…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the approval' }).click();
      await page.getByText('No approval is remembered.').waitFor();
      assert.equal((await agent.plan('cp', 'notes.txt', 'three.txt')).status, 'awaiting_approval');
      await page.getByLabel('State').selectOption('revoked');
      await row.getByText(/Revoked\s+Ada/).waitFor();
      assert.deepEqual(told, []);
    },
  },
};
