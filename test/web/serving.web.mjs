import { startServer } from '../support/server.mjs';
import { assert, complaints } from './support/expect.mjs';

const BASE = '/ops/sign';
const INITIAL_JAVASCRIPT = 180_000;

/** How the product hands out the console: below a path where a proxy shows it, and small. */
export default {
  before: async () => ({ server: await startServer({ env: { BASE_PATH: BASE } }), kept: {} }),
  after: (given) => given?.server.remove(),
  tests: {
    'below a base path every file, call and link stays below it': async ({ server, open, kept }) => {
      assert.ok(server.url.endsWith(BASE), server.url);
      const page = await open();
      const told = complaints(page);
      const { origin } = new URL(server.url);
      const astray = [];
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.origin !== origin || !url.pathname.startsWith(`${BASE}/`)) astray.push(request.url());
      });
      await page.goto(server.link);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('New password').fill('nine green bottles');
      await page.getByRole('button', { name: 'Begin' }).click();
      await page.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
      await page.goto(`${server.url}/receipts`);
      await page.locator('cs-receipt-row, cs-empty').first().waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await page.waitForURL(new RegExp(`${BASE}/policy`));
      await page.reload();
      await page.getByRole('link', { name: 'Inbox' }).first().click();
      await page.waitForURL(`${server.url}/inbox`);
      await page.getByText('Live', { exact: true }).first().waitFor();
      assert.deepEqual(astray, []);
      assert.deepEqual(told, []);
      kept.state = await page.context().storageState();
    },

    'a signed-out visitor is led to the sign-in page below the base path, and back': async ({ server, open }) => {
      const page = await open();
      await page.goto(`${server.url}/receipts`);
      await page.waitForURL(`${server.url}/login?next=%2Freceipts`);
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('Password').fill('nine green bottles');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${server.url}/receipts`);
    },

    'the first page needs little JavaScript, sent compressed': async ({ server, open }) => {
      const page = await open();
      const sizes = new Map();
      page.on('requestfinished', (request) => sizes.set(request.url(), request.sizes()));
      await page.goto(`${server.url}/login`);
      await page.getByLabel('Password').waitFor();
      const first = await page.evaluate(() =>
        [...document.querySelectorAll('script[src], link[rel=modulepreload]')].map((one) => one.src ?? one.href),
      );
      assert.ok(first.length > 1);
      const bytes = await Promise.all(first.map(async (url) => (await sizes.get(url)).responseBodySize));
      const total = bytes.reduce((sum, size) => sum + size, 0);
      console.log(`      ${total} bytes of initial JavaScript`);
      assert.ok(total > 0 && total <= INITIAL_JAVASCRIPT, `${total} bytes of initial JavaScript`);
    },
  },
};
