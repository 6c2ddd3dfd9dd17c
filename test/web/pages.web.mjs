import { readFileSync } from 'node:fs';
import { assert, complaints, eventually } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';

const withFake = (run, over) => async (use) => {
  const fake = await startFake(over);
  try {
    await run({ ...use, fake });
  } finally {
    await fake.close();
  }
};

const at = async (open, fake, path, options) => {
  const page = await open(options);
  await page.goto(fake.url + path);
  await page.locator('#place').waitFor();
  return page;
};

const saved = async (page, act) => {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
};

export default {
  tests: {
    'keys go everywhere, help lists them, and they sleep in fields': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/');
      for (const [letter, path] of [
        ['i', /inbox|asks/],
        ['l', /live/],
        ['r', /receipts/],
        ['p', /policy/],
        ['h', /\/$/],
      ]) {
        await page.keyboard.press('g');
        await page.keyboard.press(letter);
        await page.waitForURL(path);
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Go to Receipts').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.waitForURL(/receipts/);
      await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.id), 'find'));
      await page.keyboard.type('gi?');
      assert.match(page.url(), /receipts/);
      assert.equal(await page.locator('#find').inputValue(), 'gi?');
    }),

    'single keys can be switched off': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/');
      await page.getByRole('button', { name: /settings and sign-out/ }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Single-letter keys' }).click();
      await page.keyboard.press('Escape');
      await page.waitForTimeout(300);
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.waitForTimeout(300);
      assert.match(page.url(), /\/$/);
    }),

    'theme and language are chosen in the menu and stay': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/');
      await page.getByRole('button', { name: /settings and sign-out/ }).click();
      await page.getByRole('menuitem', { name: 'Theme' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      await eventually(async () =>
        assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--canvas').trim()), '#0c1210'),
      );
      await page.reload();
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      await page.getByRole('button', { name: /settings and sign-out/ }).click();
      await page.getByRole('menuitem', { name: 'Language' }).click();
      await page.getByRole('menuitemradio', { name: '中文' }).click();
      await page
        .getByRole('link', { name: /收件箱/ })
        .first()
        .waitFor();
      await eventually(async () => assert.match(await page.title(), /首页/));
    }),

    'the way by keyboard: skip link, then focus at the content after each move': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Go to content');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
      await page.getByRole('link', { name: 'Receipts', exact: true }).first().press('Enter');
      await page.waitForURL(/receipts/);
      await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.id), 'main'));
    }),

    'j, k and o walk the inbox': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/inbox');
      await page.waitForURL(new RegExp(fake.data.asks[0].id));
      await page.locator('cs-ask-row').nth(1).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('o');
      await page.waitForURL(new RegExp(fake.data.asks[1].id));
      await page.getByRole('heading', { name: 'Install a package' }).waitFor();
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(fake.data.asks[0].id));
    }),

    'view and filter stand in the address': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/inbox?view=all&q=archive');
      await eventually(async () => assert.equal(await page.locator('cs-ask-row').count(), 1));
      await page.getByText('Waiting for someone else').waitFor();
      await page
        .getByRole('tab', { name: 'Decided' })
        .or(page.getByRole('link', { name: 'Decided' }))
        .first()
        .click();
      await page.getByText('Run project code').waitFor();
    }),

    'a run shows its streams, searches, pauses, and ends with its receipt': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, `/runs/${fake.data.run.id}`);
      const told = complaints(page);
      const rows = page.locator('.xterm-rows');
      await eventually(async () => assert.match(await rows.innerText(), /rounding\.spec\.ts/));
      await page.getByRole('button', { name: 'stderr' }).click();
      await eventually(async () => assert.match(await rows.innerText(), /^\s*warn/));
      assert.doesNotMatch(await rows.innerText(), /rounding/);
      await page.getByRole('button', { name: 'Both' }).click();
      await page.keyboard.press('Control+f');
      await page.getByPlaceholder('Search the output').fill('numbering');
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Search the output').fill('no such text');
      await page.getByText('Not found').waitFor();
      await page.keyboard.press('Escape');
      const file = await saved(page, async () => {
        await page.getByRole('button', { name: 'Download' }).click();
        await page.getByRole('menuitem', { name: 'As shown' }).click();
      });
      assert.match(file.text, /PASS src\/ledger\/rounding\.spec\.ts/);
      assert.doesNotMatch(file.text, /\u001B/);
      await page.getByRole('button', { name: /Pause/ }).click();
      await page.getByRole('button', { name: /Resume/ }).waitFor();
      await page.getByRole('button', { name: /Resume/ }).click();
      await page.getByRole('button', { name: /Pause/ }).waitFor();
      fake.print('stdout', '\nlast line\n');
      await eventually(async () => assert.match(await rows.innerText(), /last line/));
      await page.keyboard.press('c');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Cancel this run?').waitFor();
      await eventually(async () =>
        assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 20)), 'Cancel'),
      );
      await dialog.getByRole('button', { name: 'Cancel the run' }).click();
      await page.getByRole('link', { name: /Open the receipt/ }).waitFor();
      await page.getByText('Ended by signal 15').waitFor();
      await page.keyboard.press('v');
      await page.waitForURL(/receipts/);
      assert.deepEqual(told, []);
    }),

    'output goes on exactly where it was after a cut': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, `/runs/${fake.data.run.id}`);
      const rows = page.locator('.xterm-rows');
      await eventually(async () => assert.match(await rows.innerText(), /batch\.spec\.ts/));
      fake.down();
      await page.waitForTimeout(400);
      fake.print('stdout', '\nwhile away\n');
      fake.up();
      await eventually(async () => assert.match(await rows.innerText(), /while away/), 20_000);
      fake.print('stdout', 'and after\n');
      await eventually(async () => assert.match(await rows.innerText(), /while away\s+and after/), 20_000);
      assert.equal((await rows.innerText()).match(/while away/g).length, 1);
    }),

    'stop all asks once and cancels every run': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/');
      await page.getByRole('button', { name: 'Stop all…' }).click();
      await page.getByRole('dialog').getByText('Stop 1 run?').waitFor();
      await page.getByRole('button', { name: 'Stop 1 run' }).click();
      await eventually(() => assert.ok(fake.calls.some(({ call }) => call.endsWith('/cancel'))));
      await page.getByText('Nothing runs now.').waitFor();
    }),

    'thousands of receipts scroll, search and filter': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/receipts');
      await page.getByText('41,207').waitFor();
      assert.ok((await page.locator('cs-receipt-row').count()) < 80);
      await page.locator('cdk-virtual-scroll-viewport').evaluate(async (view) => {
        for (let step = 0; step < 14; step += 1) {
          view.scrollTop = view.scrollHeight;
          await new Promise((resolve) => setTimeout(resolve, 120));
        }
      });
      await eventually(async () =>
        assert.ok(Number((await page.locator('cs-receipt-row .n').last().innerText()).replaceAll(',', '')) < 40_600),
      );
      await page.locator('#find').fill('make release');
      await page.waitForURL(/q=make/);
      await eventually(async () =>
        assert.ok((await page.locator('cs-receipt-row .c').allInnerTexts()).every((text) => text.includes('make release'))),
      );
      await page.getByLabel('Outcome', { exact: true }).selectOption('unknown');
      await page.waitForURL(/outcome=unknown/);
      await page.locator('cs-mark').filter({ hasText: 'Outcome unknown' }).first().waitFor();
    }),

    'the seal is drawn only after this browser verified the receipt': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, `/receipts/${fake.data.goodReceipt}`);
      await page.getByText('Verified in this browser').waitFor();
      await page.getByRole('img', { name: /^Seal/ }).waitFor();
      const file = await saved(page, () => page.getByRole('button', { name: 'Receipt', exact: true }).click());
      assert.equal(JSON.parse(file.text).evidence.id, fake.data.goodReceipt);
      await page.goto(`${fake.url}/receipts/${fake.data.badReceipt}`);
      await page.getByText(/Does not verify: .* Do not rely on it\./).waitFor();
      assert.equal(await page.getByRole('img', { name: /^Seal/ }).count(), 0);
    }),

    'without the verifier nothing is claimed': withFake(async ({ fake, open }) => {
      const page = await open();
      await page.route('**/receipts/verifier', (route) => route.abort());
      await page.goto(`${fake.url}/receipts/${fake.data.goodReceipt}`);
      await page.getByText('The verifier could not be loaded').waitFor();
      assert.equal(await page.getByRole('img', { name: /^Seal/ }).count(), 0);
    }),

    'a share-safe copy is shown before it is given away': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, `/receipts/${fake.data.goodReceipt}`);
      await page.getByRole('button', { name: 'Share-safe copy…' }).click();
      await page.getByText('/receipt/command', { exact: true }).waitFor();
      const file = await saved(page, () => page.getByRole('button', { name: 'Download the copy' }).click());
      assert.equal(JSON.parse(file.text).receipt.command, '[REDACTED FOR SHARING]');
    }),

    'a token is shown once, and revoked by typing its name': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/admin/tokens');
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name of the token').fill('ci');
      await page.getByRole('button', { name: 'Create token' }).click();
      await page.getByText('csn_').first().waitFor();
      await page.reload();
      await page.getByRole('cell', { name: 'docs-bot', exact: true }).waitFor();
      assert.equal(await page.getByText('csn_').count(), 0);
      await page.getByRole('button', { name: 'Revoke docs-bot' }).click();
      const act = page.getByRole('dialog').getByRole('button', { name: 'Revoke docs-bot' });
      assert.equal(await act.isDisabled(), true);
      await page.getByLabel('Type docs-bot to go on').fill('docs-bot');
      assert.equal(await act.isDisabled(), false);
    }),

    'a webhook shows its secret once, its log on demand, and goes only when its name is typed': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/admin/webhooks');
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByLabel('Name').fill('pager');
      await page.getByLabel('Address').fill('https://hooks.example.com/x');
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await page.getByText('whsec_').first().waitFor();
      const sent = fake.calls.find(({ call }) => call === 'POST webhooks')?.body;
      assert.deepEqual(sent.routes, { types: [], workspaces: [], leastRisk: 'low', deciders: [] });
      await page.reload();
      await page.getByRole('cell', { name: 'ops-channel', exact: true }).waitFor();
      assert.equal(await page.getByText('whsec_').count(), 0);
      await page.getByRole('button', { name: 'Log' }).first().click();
      await page.getByText('The receiver answered 503').waitFor();
      await page.getByRole('button', { name: 'Send a test to ops-channel' }).click();
      await page.getByText('The test did not reach ops-channel').waitFor();
      await page.getByRole('button', { name: 'Remove ops-channel' }).click();
      const act = page.getByRole('dialog').getByRole('button', { name: 'Remove ops-channel' });
      assert.equal(await act.isDisabled(), true);
    }),

    'a looser mode of a workspace is asked about first': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/admin/workspaces');
      await page.getByLabel('Mode of handbook').selectOption('trusted');
      await page.getByRole('dialog').getByText('Set handbook to trusted?').waitFor();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      assert.equal(await page.getByLabel('Mode of handbook').inputValue(), 'inspect');
      await page.getByLabel('Mode of handbook').selectOption('confirm');
      await page.getByRole('dialog').getByRole('button', { name: 'Set to confirm' }).click();
      await eventually(() => assert.deepEqual(fake.calls.find(({ call }) => call.startsWith('PATCH'))?.body, { mode: 'confirm' }));
    }),

    'policy explains a command in every mode': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/explain');
      await page.getByRole('textbox', { name: 'Command' }).fill('rg -l acct_id migrations/');
      await page.keyboard.press('Control+Enter');
      await page.getByText('the mode of this workspace').waitFor();
      await page.getByText('operands-from-output').waitFor();
      assert.equal(await page.getByText('Asks a person', { exact: true }).count(), 2);
    }),

    'signing in: a wrong password is told, a right one leads to where one wanted, and no link leads away': withFake(
      async ({ fake, open }) => {
        const page = await open();
        await page.goto(`${fake.url}/asks/${fake.data.asks[1].id}`);
        await page.waitForURL(/login\?next=/);
        await page.getByLabel('Name').fill('approver');
        await page.getByLabel('Password').fill('wrong');
        await page.keyboard.press('Enter');
        await page.getByText('Name and password do not match.').waitFor();
        await page.getByLabel('Password').fill('right horse battery');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Install a package' }).waitFor();
        fake.data.me = null;
        await page.goto(`${fake.url}/login?next=//evil.test/x`);
        await page.getByLabel('Name').fill('approver');
        await page.getByLabel('Password').fill('right horse battery');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Went wrong today' }).waitFor();
        assert.equal(new URL(page.url()).origin, fake.url);
      },
      { me: null },
    ),

    'a part that the server no longer has is a new release: the page is opened anew': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/');
      let refused = 0;
      await page.route('**/chunk-*.js', (route) => ((refused += 1) === 1 ? route.fulfill({ status: 404, body: '' }) : route.continue()));
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.locator('#find').waitFor();
      assert.match(page.url(), /receipts/);
      assert.ok(refused >= 1);
    }),

    'a session that ended leads to the sign-in page and back': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/receipts');
      await page.getByText('41,207').waitFor();
      await page.route('**/api/receipts?**', (route) =>
        route.fulfill({
          status: 401,
          contentType: 'application/json',
          body: '{"error":{"code":"AUTH_REQUIRED","message":"","retry":"after_change","details":{}}}',
        }),
      );
      fake.data.me = null;
      await page.locator('#find').fill('x');
      await page.waitForURL(/login\?next=%2Freceipts/);
    }),

    'the owner’s link makes a person and shows how to connect': withFake(
      async ({ fake, open }) => {
        const page = await open();
        await page.goto(`${fake.url}/`);
        await page.waitForURL(/welcome/);
        await page.getByText('The address holds no sign-in link.').waitFor();
        await page.goto('about:blank');
        await page.goto(`${fake.url}/welcome#token=abc`);
        await page.getByLabel('Your name').fill('Ada');
        await page.getByLabel('New password').fill('four plain words here');
        await page.getByRole('button', { name: 'Begin' }).click();
        await page.getByText('First governed command').waitFor();
        assert.equal(page.url(), `${fake.url}/welcome`);
        assert.deepEqual(fake.calls[0].body, { token: 'abc', name: 'Ada', password: 'four plain words here' });
      },
      { me: null, hasOwner: false },
    ),
  },
};
