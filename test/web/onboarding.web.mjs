import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool } from '../bench/measure.mjs';
import { startServer } from '../support/server.mjs';
import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';

const MOST_MS = 180_000;

/** What the copied curl command sends, sent from here. */
async function sendCurl(text) {
  const url = /^curl (\S+)/.exec(text)?.[1];
  const headers = Object.fromEntries([...text.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]));
  const response = await fetch(url, { method: 'POST', headers, body: /-d '(.+)'/.exec(text)?.[1] });
  return { status: response.status, text: await response.text() };
}

/** From the first link to a verified receipt, on the product itself. */
export default {
  before: async () => {
    const server = await startServer();
    writeFileSync(join(server.workspace, 'hello.mjs'), "console.log('hello');\n");
    return { server };
  },
  after: (given) => given?.server.remove(),
  tests: {
    'four steps lead from the first link to a verified receipt, also over a reload': async ({ server, open, root }) => {
      const startedAt = Date.now();
      const page = await open();
      const told = complaints(page);
      await page.goto(server.link);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('New password').fill('nine green bottles');
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
      await page.getByRole('button', { name: 'Create token' }).click();
      const secret = await page.locator('.secret code').innerText();
      for (const name of ['Claude Desktop', 'Cursor', 'VS Code', 'ChatGPT', 'HTTP']) {
        await page.getByRole('button', { name, exact: true }).click();
        await eventually(async () => assert.ok((await page.locator('.code pre').innerText()).includes(server.mcp)));
      }
      await page.getByText('Waiting for its first call…').waitFor();
      await page.screenshot({ path: join(root, 'test-results/screens/onboarding-client.png'), fullPage: true });
      await accessible(page, 'onboarding');
      await noSidewaysScroll(page, 'onboarding');
      const command = await page.locator('.code pre').innerText();
      assert.ok(command.includes(secret));
      const listed = await sendCurl(command);
      assert.equal(listed.status, 200, listed.text);
      assert.match(listed.text, /terminal_plan/);
      await page.getByText('my-agent has called.').waitFor();
      const planned = await callTool(server.mcp, secret, 'terminal_plan', { argv: ['node', 'hello.mjs'] });
      assert.equal(planned.status, 'awaiting_approval');
      await page.getByText('A plan waits for your signature.').waitFor();
      await page.reload();
      await page.getByText('A plan waits for your signature.').waitFor();
      await page
        .getByRole('link', { name: /Open the ask|Open it|ask/ })
        .first()
        .click();
      await page.waitForURL(/\/asks\//);
      await page.getByText('Why it asks you').waitFor();
      await page.waitForTimeout(500);
      await page.keyboard.press('a');
      await eventually(async () =>
        assert.ok((await page.getByText('Approved once by you').count()) + (await page.getByText('You allow once:').count()) > 0),
      );
      if (await page.getByText('You allow once:').isVisible()) {
        await page.waitForTimeout(1200);
        await page.keyboard.press('Shift+A');
      }
      await page.getByText('Approved once by you').waitFor();
      await callTool(server.mcp, secret, 'terminal_execute', { session_id: planned.session_id, plan_id: planned.plan_id });
      await page.goto(`${server.url}/welcome`);
      await page.getByText('The first receipt is there.').waitFor();
      await page
        .getByRole('link', { name: /receipt/i })
        .first()
        .click();
      await page.getByText('Verified in this browser').waitFor();
      const ms = Date.now() - startedAt;
      console.log(`      ${(ms / 1000).toFixed(1)} s from the link to a verified receipt`);
      assert.ok(ms < MOST_MS);
      assert.deepEqual(told, []);
    },
  },
};
