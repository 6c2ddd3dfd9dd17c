import { assert, complaints, eventually } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';
import { MARKUP } from './support/sample-data.mjs';

/** Characters that may stand in no page: they would hide or turn what is around them. */
const FORBIDDEN = /[\u202A-\u202E\u2066\u2067\u200B\u{E0000}-\u{E007F}\u001B\u0007]/u;

async function inert(page, name) {
  const found = await page.evaluate(() => ({
    hacked: globalThis.hacked,
    images: document.querySelectorAll('img').length,
    scripts: [...document.scripts].filter((script) => !script.src.startsWith(location.origin)).length,
    links: [...document.querySelectorAll('a[href]')].map((link) => link.href).filter((href) => !href.startsWith(location.origin)),
    html: document.documentElement.outerHTML,
    title: document.title,
  }));
  assert.equal(found.hacked, undefined, `${name} ran foreign code`);
  assert.equal(found.images, 0, `${name} drew a foreign image`);
  assert.equal(found.scripts, 0, `${name} took in a foreign script`);
  assert.deepEqual(found.links, [], `${name} links to somewhere else`);
  const at = found.html.search(FORBIDDEN);
  assert.equal(at, -1, `${name} holds ${at < 0 ? '' : JSON.stringify(found.html.slice(Math.max(0, at - 60), at + 20))}`);
  assert.equal(FORBIDDEN.test(found.title), false);
}

export default {
  before: async () => {
    const fake = await startFake();
    const evil = `evil\u202E${MARKUP}`;
    fake.data.spaces[0].name = `billing\u202E${MARKUP}`;
    fake.data.asks[1].requesterName = evil;
    fake.data.plans[1].ownerName = evil;
    return { fake };
  },
  after: ({ fake }) => fake.close(),
  tests: {
    'hostile text is inert on every screen': async ({ fake, open }) => {
      const { asks, plans, run, goodReceipt } = fake.data;
      const places = [
        '/',
        '/inbox',
        `/asks/${asks[1].id}`,
        `/asks/${asks[3].id}`,
        '/live',
        `/plans/${plans[3].id}`,
        `/plans/${plans[1].id}`,
        `/runs/${run.id}`,
        '/receipts',
        `/receipts/${goodReceipt}`,
        '/admin/tokens',
        '/admin/people',
        '/admin/workspaces',
        '/admin/webhooks',
        '/policy/explain',
        '/plans/new',
      ];
      const page = await open();
      const told = complaints(page);
      for (const place of places) {
        await page.goto(fake.url + place);
        await page.locator('#place').waitFor();
        await page.waitForTimeout(700);
        await inert(page, place);
      }
      assert.deepEqual(told, []);
    },

    'every trick in a command has a visible name': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/asks/${fake.data.asks[3].id}`);
      const chips = page.getByRole('listitem').filter({ hasText: 'notes/inv' }).locator('.a');
      await page.getByText('Contains hidden characters').waitFor();
      const text = (await chips.allInnerTexts()).join('|');
      for (const name of ['U+202E', 'U+001B', 'U+0007', 'Cyrillic U+0430', 'U+200B ×3', 'U+E0041', 'U+D800', '""', '⏎', '→'])
        assert.ok(text.includes(name), `${name} in ${text}`);
      const isolated = await chips.evaluateAll((all) => all.every((chip) => getComputedStyle(chip).unicodeBidi === 'isolate'));
      assert.ok(isolated);
    },

    'one line and the copy are escaped': async ({ fake, open }) => {
      const page = await open();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${fake.url}/asks/${fake.data.asks[3].id}`);
      await page.getByRole('button', { name: 'As one line' }).click();
      const line = await page.locator('pre.one').innerText();
      assert.ok(line.startsWith(String.raw`cat $'notes/inv\u202Egpj.sh' `), line);
      await page.getByRole('button', { name: 'Copy' }).click();
      const copied = await eventually(() => page.evaluate(() => navigator.clipboard.readText()));
      assert.equal(copied, line);
      assert.equal(FORBIDDEN.test(copied), false);
    },

    'output acts on nothing: no link, no title, no clipboard, no cleared screen': async ({ fake, open }) => {
      const page = await open();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${fake.url}/runs/${fake.data.run.id}`);
      const rows = page.locator('.xterm-rows');
      await page.getByText('rounding.spec.ts').first().waitFor();
      await page.evaluate(() => navigator.clipboard.writeText('mine'));
      fake.print(
        'stderr',
        `\u001B]52;c;cm0gLXJmIH4=\u0007\u001B]8;;http://evil.test\u0007click\u001B]8;;\u0007 \u001B]0;owned\u0007\u001B[2J\u001B[H${MARKUP} \u001B[8mhidden\u001B[0m \u202Etxt.exe\n`,
      );
      await eventually(async () => assert.match(await rows.innerText(), /⟨U\+202E⟩txt\.exe/));
      const text = await rows.innerText();
      assert.ok(text.includes('rounding.spec.ts'), 'the screen was cleared');
      assert.ok(text.replaceAll('\n', '').includes('hidden'), `text was concealed: ${text}`);
      assert.ok(text.replaceAll(/\s+/g, ' ').includes('<img src=x'), text);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'mine');
      assert.match(await page.title(), /Countersign$/);
      assert.equal(await page.locator('.xterm a').count(), 0);
      await inert(page, 'a run that writes everything');
    },

    'a receipt with hostile output shows it as text': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/receipts/${fake.data.goodReceipt}`);
      await page.getByRole('button', { name: 'read it' }).click();
      await page.locator('pre').filter({ hasText: '27 files changed' }).waitFor();
      assert.match(await page.locator('pre').first().innerText(), /U\+202E.*U\+001B/s);
      await inert(page, 'a receipt with its output open');
    },
  },
};
