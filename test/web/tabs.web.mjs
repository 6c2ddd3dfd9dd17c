import { assert, eventually } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';

const QUICKLY = 2_000;

const ready = async (page, fake) => {
  await page.goto(`${fake.url}/inbox`);
  await page.locator('cs-ask-row').first().waitFor();
  await page.getByText('Live', { exact: true }).first().waitFor();
};

/** Some pages of one browser. */
const tabs = async (open, fake, count) => {
  const first = await open();
  const pages = [first];
  await ready(first, fake);
  for (let more = 1; more < count; more += 1) {
    const page = await first.context().newPage();
    await ready(page, fake);
    pages.push(page);
  }
  return pages;
};

/** Another person decides; every page that is left says so. */
async function decideAndSee(fake, pages, ask) {
  const before = await Promise.all(pages.map((page) => countOf(page)));
  fake.decide(ask, fake.data.other ?? { id: 'x', name: 'second approver' }, 'deny', 'Not now');
  await Promise.all(pages.map((page, index) => eventually(async () => assert.equal(await countOf(page), before[index] - 1), QUICKLY)));
}

const countOf = async (page) => Number((await page.locator('cs-nav .num.due').first().innerText()).replace(/\D+/g, ''));

/** One stream per browser, shared by its tabs; the tab that reads it may go at any time. */
export default {
  before: async () => ({}),
  tests: {
    'three tabs read one stream, and each shows what happens': async ({ open }) => {
      const fake = await startFake();
      const pages = await tabs(open, fake, 3);
      await eventually(() => assert.equal(fake.viewers(), 1));
      await decideAndSee(fake, pages, fake.data.asks[1]);
      assert.equal(fake.viewers(), 1);
      await fake.close();
    },

    'the next tab reads on when the reading tab is closed, and nothing is lost between': async ({ open }) => {
      const fake = await startFake();
      const [first, ...others] = await tabs(open, fake, 3);
      await first.close();
      await decideAndSee(fake, others, fake.data.asks[1]);
      await eventually(() => assert.equal(fake.viewers(), 1), QUICKLY);
      await others[0].close();
      await decideAndSee(fake, others.slice(1), fake.data.asks[3]);
      await fake.close();
    },

    'a reading tab that hangs loses its place to the tab that is looked at': async ({ open }) => {
      const fake = await startFake();
      const [first, second] = await tabs(open, fake, 2);
      await second.bringToFront();
      const session = await first.context().newCDPSession(first);
      await session.send('Debugger.enable');
      await session.send('Debugger.pause');
      const hung = first.evaluate(() => 1).catch(() => undefined);
      const before = await countOf(second);
      fake.decide(fake.data.asks[1], { id: 'x', name: 'second approver' }, 'deny', 'Not now');
      await eventually(async () => assert.equal(await countOf(second), before - 1), 6_000);
      await second.getByText('Live', { exact: true }).first().waitFor();
      await session.send('Debugger.resume');
      await hung;
      await eventually(async () => assert.equal(await countOf(first), before - 1), 6_000);
      await eventually(() => assert.equal(fake.viewers(), 1), 6_000);
      await fake.close();
    },

    'when the server goes every tab says so, and every tab is true again when it is back': async ({ open }) => {
      const fake = await startFake();
      const pages = await tabs(open, fake, 3);
      fake.down();
      for (const page of pages)
        await page
          .getByText(/deciding is off/)
          .first()
          .waitFor({ timeout: QUICKLY });
      fake.up();
      for (const page of pages) await page.getByText('Live', { exact: true }).first().waitFor({ timeout: 3_000 });
      assert.equal(fake.viewers(), 1);
      await fake.close();
    },

    'two people in two browsers share nothing': async ({ open }) => {
      const fake = await startFake();
      await tabs(open, fake, 1);
      await tabs(open, fake, 1);
      await eventually(() => assert.equal(fake.viewers(), 2));
      await fake.close();
    },
  },
};
