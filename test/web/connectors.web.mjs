import { accessible, assert, eventually, noSidewaysScroll } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';

const ID = '0192aaaa-0000-7000-8000-00000000c001';

/** Connectors: 1,400 providers, accounts, and actions that are planned. */
export default {
  before: async () => ({ fake: await startFake() }),
  after: ({ fake }) => fake.close(),
  tests: {
    'shows 1,406 providers within a second, searches them within 100 ms, and holds few rows while scrolling': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/`);
      await page.getByRole('link', { name: 'Connectors' }).first().waitFor();
      const startedAt = Date.now();
      await page.getByRole('link', { name: 'Connectors' }).first().click();
      await page.getByText(/1,?406 providers/).waitFor();
      const shownMs = Date.now() - startedAt;
      const searchMs = await page.evaluate(async () => {
        const box = document.querySelector('input[type=search]');
        const begun = performance.now();
        box.value = 'github';
        box.dispatchEvent(new box.ownerDocument.defaultView.Event('input', { bubbles: true }));
        while (document.querySelectorAll('a.provider').length !== 1) {
          await new Promise((resolve) => setTimeout(resolve));
          if (performance.now() - begun > 5_000) throw new Error('It was not found');
        }
        const took = performance.now() - begun;
        box.value = '';
        box.dispatchEvent(new box.ownerDocument.defaultView.Event('input', { bubbles: true }));
        return took;
      });
      console.log(`        list ${shownMs} ms, search ${searchMs.toFixed(0)} ms`);
      assert.ok(shownMs < 1_000, `${shownMs} ms until the list stands`);
      assert.ok(searchMs < 100, `${searchMs} ms for a search`);
      const heap = () => page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
      const before = await heap();
      for (let step = 1; step <= 30; step += 1) {
        await page.evaluate((part) => {
          const list = document.querySelector('cdk-virtual-scroll-viewport');
          list.scrollTop = (list.scrollHeight * part) / 30;
        }, step);
        await page.waitForTimeout(20);
        assert.ok((await page.locator('a.provider').count()) < 80);
      }
      assert.ok((await heap()) - before < 30_000_000);
    },
    'warns of an endpoint that takes anyone, and settles a call only with a note': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/connectors`);
      await page.getByText('It answers without a key as well').waitFor();
      await page.getByText('Outcome unknown. It will not be sent again by itself.').waitFor();
      await page.getByRole('button', { name: 'It had no effect' }).click();
      assert.equal(fake.calls.filter(({ call }) => call.endsWith('oomol/settle')).length, 0);
      await accessible(page, 'connectors');
      await noSidewaysScroll(page, 'connectors');
    },
    'a key that was given is gone from the page': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/connectors/${ID}/github`);
      const key = page.getByLabel('Token', { exact: true });
      await key.fill('canary-secret');
      await page.getByRole('button', { name: 'Connect an account' }).click();
      await eventually(() =>
        assert.ok(fake.calls.some(({ call, body }) => call.endsWith('oomol/connect') && body.apiKey === 'canary-secret')),
      );
      assert.equal(await key.inputValue(), '');
      assert.ok(!(await page.content()).includes('canary-secret'));
      await accessible(page, 'a provider');
    },
    'finds an action, says what it does and why, and plans it': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/connectors/${ID}/github`);
      await page.getByPlaceholder('What should it do?').fill('issue');
      await page.getByRole('button', { name: 'Find actions' }).click();
      await page.getByText('which changes something').first().waitFor();
      await page.getByRole('button', { name: 'Guide' }).click();
      await page.getByRole('button', { name: 'Plan it' }).waitFor();
      assert.equal(await page.getByRole('button', { name: /^Run/ }).count(), 0);
      await page.getByLabel('Input (JSON)').fill('not json');
      await page.getByRole('button', { name: 'Plan it' }).click();
      await page.getByText('This is no JSON object.').waitFor();
    },
  },
};
