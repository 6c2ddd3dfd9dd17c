import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';
import { askFor, people, plan } from './support/sample-data.mjs';

/** After the dock changed nothing counts for a moment; a person is not that fast. */
const settle = (page) => page.waitForTimeout(600);

async function openAsk(open, fake, index, options = {}) {
  const page = await open(options);
  await page.goto(`${fake.url}/asks/${fake.data.asks[index].id}`);
  await page.getByText('Why it asks you').waitFor();
  await page.getByText('Live', { exact: true }).first().waitFor();
  await settle(page);
  return page;
}

const withFake = (run) => async (use) => {
  const fake = await startFake();
  try {
    await run({ ...use, fake });
  } finally {
    await fake.close();
  }
};

const votes = (fake) => fake.calls.filter(({ call }) => call.endsWith('/votes'));

export default {
  tests: {
    'a key approves what is drawn, with its digest, and the outcome comes from the server': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      const told = complaints(page);
      await page.keyboard.press('a');
      await page.getByText('Approved once by you').waitFor();
      const [sent] = votes(fake);
      assert.deepEqual(sent.body, { answer: 'approve', digest: fake.data.plans[1].digest });
      assert.equal(sent.csrf, 'csrf');
      assert.deepEqual(told, []);
    }),

    'what is late says so in the list and at the ask, and what policy bounds stands beside the sandbox': withFake(
      async ({ fake, open }) => {
        const [late, due] = [fake.data.asks[1], fake.data.asks[0]];
        late.dueAt = Date.now() - 5 * 60_000;
        due.dueAt = Date.now() + 3 * 3_600_000;
        fake.data.plans[1].decision.limits = { timeoutMs: 5_000, hosts: ['registry.example.test'], sandboxRequired: true };
        const page = await openAsk(open, fake, 1);
        const told = complaints(page);
        const rows = page.locator('cs-ask-row');
        await rows.filter({ hasText: late.title }).getByText('Late', { exact: true }).waitFor();
        assert.equal(await rows.getByText('Late', { exact: true }).count(), 1);
        await page.getByText(/^Late by 5/).waitFor();
        await noSidewaysScroll(page, 'a late ask');
        await accessible(page, 'a late ask');
        await page.getByText('At most 5 s · Only to registry.example.test · Only in a full sandbox').waitFor();
        await page.goto(`${fake.url}/plans/${fake.data.plans[1].id}`);
        await page.getByText('Set by policy').waitFor();
        await page.goto(`${fake.url}/asks/${due.id}`);
        await page.getByText(/^Due in [23]/).waitFor();
        assert.equal(await page.getByText('Set by policy').count(), 0);
        assert.deepEqual(told, []);
      },
    ),

    'nothing is shown as decided before the server says so': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      await page.route('**/votes', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 900));
        await route.continue();
      });
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Sending…' }).waitFor();
      assert.equal(await page.getByText('Approved once by you').count(), 0);
      await page.getByText('Approved once by you').waitFor();
    }),

    'high risk takes a second step that names the effects': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 0);
      await page.keyboard.press('a');
      const sign = page.getByRole('button', { name: 'Write, run, connect once' });
      await sign.waitFor();
      await eventually(async () =>
        assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim().startsWith('Back')), true),
      );
      await page.getByText('You allow once:').waitFor();
      assert.equal((await page.getByText('staging-db:5432').count()) >= 2, true);
      assert.equal(await sign.getAttribute('aria-disabled'), 'true');
      await page.keyboard.press('Shift+A');
      await settle(page);
      for (const key of ['Enter', 'a', 'Enter']) await page.keyboard.press(key);
      await page.waitForTimeout(300);
      assert.equal(votes(fake).length, 0);
      await eventually(async () => assert.equal(await sign.getAttribute('aria-disabled'), 'false'));
      await page.keyboard.press('Shift+A');
      await page.getByText('Approved once by you').waitFor();
      assert.equal(votes(fake).length, 1);
    }),

    'a press that was meant for another dock does nothing': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 0);
      await page.getByRole('button', { name: /Approve once/ }).dblclick();
      await page.getByRole('button', { name: /Back/ }).waitFor();
      await page.waitForTimeout(200);
      assert.equal(votes(fake).length, 0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /Approve once/ }).waitFor();
    }),

    'rejecting takes a reason, by keyboard alone': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      await page.keyboard.press('r');
      await page.getByLabel(/Why\?/).waitFor();
      await settle(page);
      await page.keyboard.type('Use the pinned version from a1');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Denied by you').waitFor();
      assert.deepEqual(votes(fake)[0].body, {
        answer: 'deny',
        digest: fake.data.plans[1].digest,
        reason: 'Use the pinned version from a1',
      });
      await page.getByText('Use the pinned version from a1').waitFor();
      await page.getByText('Its own words, not checked').waitFor();
    }),

    'editing makes a new plan and rejects the old one as edited': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      await page.keyboard.press('e');
      const word = page.getByRole('textbox', { name: 'Word 4' });
      await word.waitFor();
      await word.fill('undici@7.16.1');
      await page.keyboard.press('Enter');
      await page.keyboard.type('--ignore-scripts');
      await page.getByRole('button', { name: 'Plan the edited command' }).click();
      await page.waitForURL(/\/plans\//);
      const [made] = fake.calls.filter(({ call }) => call === 'POST plans');
      assert.deepEqual(made.body.argv, ['npm', 'install', '--save-exact', 'undici@7.16.1', '--ignore-scripts']);
      assert.equal(made.body.editedFrom, fake.data.plans[1].id);
      assert.equal(votes(fake)[0].body.reason, 'edited');
      await page.getByRole('button', { name: /Run once/ }).waitFor();
    }),

    'decided elsewhere, the dock says by whom and the keys are dead': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      fake.decide(fake.data.asks[1], people.other, 'approve');
      await page.getByText(/second approver decided first: approved/).waitFor();
      await settle(page);
      await page.keyboard.press('a');
      await page.keyboard.press('r');
      await page.waitForTimeout(200);
      assert.equal(votes(fake).length, 0);
    }),

    'whoever comes second is told so and nothing is lost': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      await page.route('**/api/events**', (route) => route.abort());
      await page.route('**/votes', async (route) => {
        fake.decide(fake.data.asks[1], people.other, 'deny', 'No new packages');
        await route.continue();
      });
      await page.keyboard.press('a');
      await page.getByText('ASK_ALREADY_RESOLVED').waitFor();
      await page.getByText(/second approver decided first: denied/).waitFor();
      await page.getByText('No new packages').waitFor();
    }),

    'several asks are decided together, each by its own vote, and what is dangerous is left out': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      const [, install, , hostile] = fake.data.asks;
      await page.locator('cs-ask-row').nth(0).getByRole('link').focus();
      await page.keyboard.press('x');
      assert.equal(await page.getByRole('checkbox', { name: /one at a time/ }).isDisabled(), true);
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByText('2 selected').waitFor();
      await page.keyboard.press('Shift+X');
      await page.getByRole('heading', { name: 'Decide 2 asks together' }).waitFor();
      await page.getByText('npm install fetches and unpacks a package').waitFor();
      await settle(page);
      fake.decide(hostile, people.other, 'deny');
      await page.getByRole('button', { name: 'Approve 1, each once' }).waitFor();
      await page.keyboard.press('Shift+A');
      await page.getByText('1 vote counted').waitFor();
      assert.deepEqual(
        votes(fake).map(({ call, body }) => [call, body]),
        [[`POST asks/${install.id}/votes`, { answer: 'approve', digest: fake.data.plans[1].digest }]],
      );
    }),

    'what is taken out of a batch keeps waiting, and a refused vote is told beside its ask': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
      const hostile = fake.data.asks[3];
      await page.goto(`${fake.url}/inbox`);
      await page.getByRole('button', { name: 'Select' }).click();
      for (const name of [/^Select: Install/, /^Select: Read a file/]) await page.getByRole('checkbox', { name }).check();
      await page.getByRole('link', { name: 'Review together' }).click();
      await page.getByRole('button', { name: /Read to the end first/ }).waitFor();
      await page.getByRole('checkbox', { name: /^Select: Read a file/ }).uncheck();
      await page.getByRole('region', { name: 'Facts for the decision' }).evaluate((body) => body.scrollTo(0, body.scrollHeight));
      await page.route('**/votes', async (route) => {
        fake.decide(fake.data.asks[1], people.other, 'deny');
        await route.continue();
      });
      await settle(page);
      await page.getByRole('button', { name: 'Approve 1, each once' }).click();
      await page.getByText('ASK_ALREADY_RESOLVED').waitFor();
      assert.equal(votes(fake).length, 1);
      assert.equal(hostile.status, 'open');
    }),

    'the inbox is ordered by risk or by time left, and the address keeps it': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      fake.data.asks[3].expiresAt = Date.now() + 60_000;
      await page.goto(`${fake.url}/inbox?view=all`);
      await page.getByLabel('Order').selectOption('left');
      await page.waitForURL(/order=left/);
      await eventually(async () => assert.match(await page.locator('cs-ask-row').first().innerText(), /Read a file/));
      await page.reload();
      await eventually(async () => assert.match(await page.locator('cs-ask-row').first().innerText(), /Read a file/));
    }),

    'new asks wait behind a button, and a decided row keeps its place': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      const rows = page.locator('cs-ask-row');
      const before = await rows.count();
      const more = plan(fake.data.spaces[0], {
        stages: [{ join: 'first', argv: ['make', 'deploy'], redirects: [] }],
        analysis: [],
        risk: 'high',
        rules: ['r'],
        reasons: ['x'],
      });
      fake.data.plans.push(more);
      const ask = askFor(more, 'Run a target of make');
      fake.data.asks.push(ask);
      fake.emit({ type: 'ask.opened', ask });
      await page.getByRole('button', { name: /1 new ask, show it/ }).waitFor();
      assert.equal(await rows.count(), before);
      await rows.nth(1).hover();
      fake.decide(fake.data.asks[1], people.other, 'approve');
      await page.getByText('Approved · release-bot').waitFor();
      assert.equal(await rows.count(), before);
      await page.mouse.move(1200, 500);
      await eventually(async () => assert.equal(await rows.count(), before - 1));
      await page.keyboard.press('n');
      await page.getByText('Run a target of make').waitFor();
    }),

    'without a connection the page says how old it is and deciding is off; it comes back by itself': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1);
      fake.down();
      await page
        .getByText(/Reconnecting\. Seen at .*; deciding is off\./)
        .first()
        .waitFor();
      await settle(page);
      await page.keyboard.press('a');
      await page.waitForTimeout(200);
      assert.equal(await page.getByRole('button', { name: /Approve once/ }).count(), 0);
      fake.data.asks[0].votes = [];
      fake.decide(fake.data.asks[0], people.other, 'deny');
      fake.up();
      await page.getByText('Back. Meanwhile: 1 ask decided.').waitFor({ timeout: 20_000 });
      await page.getByRole('button', { name: /Approve once/ }).waitFor();
      assert.equal(votes(fake).length, 0);
    }),

    'a long command must be read to its end first': withFake(async ({ fake, open }) => {
      const argv = ['cp', ...Array.from({ length: 400 }, (_, index) => `some/long/folder/with/file-${index}.txt`), 'target/'];
      Object.assign(fake.data.plans[1].body, { stages: [{ join: 'first', argv, redirects: [] }] });
      const page = await openAsk(open, fake, 1);
      const button = page.getByRole('button', { name: /Read to the end first \(\d+ %\)/ });
      await button.waitFor();
      await page.keyboard.press('a');
      await page.waitForTimeout(200);
      assert.equal(votes(fake).length, 0);
      await page.getByText('402 words').scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: /Approve once/ }).waitFor();
      await page.keyboard.press('a');
      await page.getByText('Approved once by you').waitFor();
    }),

    'who asked may not decide where policy says so': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 4);
      await page.getByText('You asked for this, so someone else must decide').waitFor();
      await page.keyboard.press('a');
      await page.waitForTimeout(200);
      assert.equal(votes(fake).length, 0);
    }),

    'one vote of two is shown as such': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 2);
      await page.getByText('You approved. 1 of 2 votes').waitFor();
    }),

    'another digest than the drawn one cannot be decided': withFake(async ({ fake, open }) => {
      fake.data.asks[1].digest = 'f'.repeat(64);
      const page = await openAsk(open, fake, 1);
      await page.getByText('Deciding waits until the whole plan is on screen.').waitFor();
    }),

    'on a phone the dock takes the place of the bottom bar': withFake(async ({ fake, open }) => {
      const page = await openAsk(open, fake, 1, { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true });
      assert.equal(await page.getByRole('navigation', { name: 'Main, small screen' }).isVisible(), false);
      const approve = page.getByRole('button', { name: /Approve once/ });
      assert.equal((await approve.boundingBox()).height >= 40, true);
      await approve.tap();
      await page.getByText('Approved once by you').waitFor();
      await page.getByRole('link', { name: 'Back to Inbox' }).tap();
      await page.waitForURL(/\/inbox/);
    }),
  },
};
