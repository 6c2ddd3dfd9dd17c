import { join } from 'node:path';
import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';

const SIZES = [
  ['1440-light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['1440-dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['360-light', { viewport: { width: 360, height: 800 }, colorScheme: 'light', isMobile: true, hasTouch: true }],
  ['360-dark', { viewport: { width: 360, height: 800 }, colorScheme: 'dark', isMobile: true, hasTouch: true }],
];

/** Every page: its address, and a text that stands when it is ready. */
const PAGES = {
  home: () => ['/', 'Went wrong today'],
  inbox: () => ['/inbox', 'Edit files that a search finds'],
  ask: ({ asks }) => [`/asks/${asks[0].id}`, 'Why it asks you'],
  batch: () => ['/inbox/batch', 'Nothing is selected'],
  'ask-hidden': ({ asks }) => [`/asks/${asks[3].id}`, 'Contains hidden characters'],
  'ask-closed': ({ runAsk }) => [`/asks/${runAsk.id}`, 'Approved once by you'],
  live: () => ['/live', 'Plans lately'],
  run: ({ run }) => [`/runs/${run.id}`, 'rounding.spec.ts'],
  plan: ({ plans }) => [`/plans/${plans[0].id}`, 'Open the ask'],
  'new-plan': () => ['/plans/new', 'Plan it'],
  receipts: () => ['/receipts', '41,207'],
  receipt: ({ goodReceipt }) => [`/receipts/${goodReceipt}`, 'Verified in this browser'],
  'receipt-broken': ({ badReceipt }) => [`/receipts/${badReceipt}`, 'Do not rely on it'],
  'policy-rules': () => ['/policy/rules', 'What leaves the machine'],
  'policy-edit': () => ['/policy/edit', 'All 2 examples hold'],
  'policy-difference': () => ['/policy/edit?side=difference', 'No difference'],
  'policy-replay': () => ['/policy/edit?side=replay', 'Days of history'],
  'policy-versions': () => ['/policy/versions', 'Version 3 against'],
  'policy-remembered': () => ['/policy/remembered?state=any', '14 times'],
  'policy-proposals': () => ['/policy/proposals', 'release-bot proposes'],
  'policy-learn': ({ plans }) => [`/policy/learn/${plans[1].id}`, 'Exactly npm install'],
  'policy-explain': () => ['/policy/explain', 'Nothing is planned'],
  tokens: () => ['/admin/tokens', 'release-bot'],
  people: () => ['/admin/people', 'second approver'],
  workspaces: () => ['/admin/workspaces', '/srv/code/handbook'],
  audit: () => ['/admin/audit', 'changed the roles of second approver'],
  account: () => ['/account', 'Firefox on Linux'],
  invite: () => ['/invite#token=' + 'a'.repeat(43), 'Join this team'],
  webhooks: () => ['/admin/webhooks', 'ops-channel'],
  server: () => ['/admin/server', 'SQLite'],
  onboarding: () => ['/welcome', 'First governed command'],
  nowhere: () => ['/no/such/page', 'nothing at this address'],
};

const tests = Object.fromEntries(
  Object.entries(PAGES).map(([name, place]) => [
    `${name} fits 1440 and 360, light and dark, and axe finds nothing serious`,
    async ({ fake, open, root }) => {
      for (const [size, options] of SIZES) {
        const page = await open({ ...options, reducedMotion: 'reduce' });
        const told = complaints(page);
        const [path, text] = place(fake.data);
        await page.goto(fake.url + path);
        await page.getByText(text).first().waitFor({ state: 'attached' });
        await page.waitForTimeout(350);
        await page.screenshot({ path: join(root, `test-results/screens/${name}-${size}.png`) });
        await noSidewaysScroll(page, `${name} ${size}`);
        await accessible(page, `${name} ${size}`);
        assert.deepEqual(told, []);
        await page.context().close();
      }
    },
  ]),
);

export default {
  before: async () => ({ fake: await startFake() }),
  after: ({ fake }) => fake.close(),
  tests: {
    ...tests,
    'sign-in fits every size': async ({ open, root }) => {
      const fake = await startFake({ me: null });
      for (const [size, options] of SIZES) {
        const page = await open(options);
        await page.goto(`${fake.url}/login`);
        await page.getByLabel('Password').waitFor();
        await page.screenshot({ path: join(root, `test-results/screens/sign-in-${size}.png`) });
        await noSidewaysScroll(page, `sign-in ${size}`);
        await accessible(page, `sign-in ${size}`);
      }
      await fake.close();
    },
    'the first owner’s page fits every size': async ({ open, root }) => {
      const fake = await startFake({ me: null, hasOwner: false });
      for (const [size, options] of SIZES) {
        const page = await open(options);
        await page.goto(`${fake.url}/welcome#token=abc`);
        await page.getByRole('button', { name: 'Begin' }).waitFor();
        await page.screenshot({ path: join(root, `test-results/screens/welcome-${size}.png`) });
        await noSidewaysScroll(page, `welcome ${size}`);
        await accessible(page, `welcome ${size}`);
      }
      await fake.close();
    },
    'more contrast and Chinese fit too': async ({ fake, open, root }) => {
      for (const [name, theme] of [
        ['light', 'light'],
        ['dark', 'dark'],
      ]) {
        const page = await open({ locale: 'zh-CN', colorScheme: theme, contrast: 'more' });
        await page.goto(`${fake.url}/asks/${fake.data.asks[0].id}`);
        await page.getByRole('button', { name: '拒绝…' }).waitFor();
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(root, `test-results/screens/ask-zh-contrast-${name}.png`) });
        await accessible(page, `Chinese, more contrast, ${name}`);
        assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
      }
    },
    'text at twice its size wraps and nothing is cut': async ({ fake, open }) => {
      const page = await open({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
      await page.goto(`${fake.url}/asks/${fake.data.asks[0].id}`);
      await page.getByRole('button', { name: /Approve once|Read to the end/ }).waitFor();
      await noSidewaysScroll(page, 'ask at 200 %');
    },
    'a printed receipt holds the document and its verification, and no chrome': async ({ fake, open, root }) => {
      const page = await open();
      await page.goto(`${fake.url}/receipts/${fake.data.goodReceipt}`);
      await page.getByText('Verified in this browser').waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.screenshot({ path: join(root, 'test-results/screens/receipt-print.png'), fullPage: true });
      assert.equal(await page.getByRole('navigation', { name: 'Main' }).isVisible(), false);
      assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
      assert.equal(await page.getByText('Verified in this browser').isVisible(), true);
      assert.equal(await page.getByText('Ledger entry').first().isVisible(), true);
    },
    'nothing moves for who asked for less motion': async ({ fake, open }) => {
      const page = await open({ reducedMotion: 'reduce' });
      await page.goto(`${fake.url}/runs/${fake.data.run.id}`);
      await page.getByText('rounding.spec.ts').first().waitFor();
      const moving = await eventually(() =>
        page.evaluate(
          () =>
            document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getTiming().iterations === Infinity).length,
        ),
      );
      assert.equal(moving, 0);
    },
  },
};
