import { assert, eventually } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';
import { people } from './support/sample-data.mjs';
import { PAGES } from './support/pages.mjs';

/** "A stale screen never lies": how soon a page says what is so. */
const SOON = 2_000;

const decideSecond = ({ fake }) => fake.decide(fake.data.asks[1], people.other, 'deny', 'Not now');

/** For each page: something that another person or the server does, and what the page says then. */
const MOVES = {
  home: {
    move: decideSecond,
    says: (page) => page.locator('.figure').getByText('2', { exact: true }),
  },
  inbox: { move: decideSecond, says: (page) => page.locator('cs-nav .num.due').getByText(/^2/) },
  ask: {
    move: ({ fake }) => fake.decide(fake.data.asks[0], people.other, 'deny', 'Not now'),
    says: (page) => page.getByText(/second approver decided first/).first(),
  },
  live: { move: ({ fake }) => fake.endRun('succeeded'), says: (page) => page.getByText('Nothing runs now.') },
  run: { move: ({ fake }) => fake.endRun('succeeded'), says: (page) => page.getByRole('link', { name: /Open the receipt/ }) },
  plan: {
    move: ({ fake }) => fake.decide(fake.data.asks[0], people.other, 'deny', 'Not now'),
    says: (page) => page.locator('cs-mark').filter({ hasText: 'Rejected' }).first(),
  },
  receipts: {
    move: ({ fake }) => {
      const receipt = { ...fake.data.summaries[0], id: '01936f00-0000-7000-8000-999999999999', index: 41_208 };
      fake.data.summaries.unshift(receipt);
      fake.emit({ type: 'receipt.written', receipt });
    },
    says: (page) => page.getByText(/1 new receipt|41,208/).first(),
  },
  'policy-rules': {
    move: ({ fake }) => fake.savePolicy({ yaml: fake.data.policy.versions[0].yaml, previous: 3, note: 'Again' }, people.other),
    says: (page) => page.getByText(/[Vv]ersion 4|v4/).first(),
  },
  'policy-versions': {
    move: ({ fake }) => fake.savePolicy({ yaml: fake.data.policy.versions[0].yaml, previous: 3, note: 'Again' }, people.other),
    says: (page) => page.getByText(/Version 4|v4/).first(),
  },
  'policy-remembered': {
    move: ({ fake }) => {
      const [one] = fake.data.policy.remembered;
      Object.assign(one, { state: 'revoked', uses: 77, endedAt: Date.now(), endedByName: 'second approver' });
      fake.emit({ type: 'remembered.changed', rememberedId: one.id, state: 'revoked' });
    },
    says: (page) => page.getByText('77 times'),
  },
  tokens: {
    move: ({ fake }) => {
      fake.add.token('night-bot');
      fake.emit({ type: 'token.changed', tokenId: fake.data.tokens.at(-1).id });
    },
    says: (page) => page.getByRole('cell', { name: 'night-bot', exact: true }),
  },
  people: {
    move: ({ fake }) => {
      fake.data.people[1].name = 'renamed approver';
      fake.emit({ type: 'person.changed', personId: people.other.id });
    },
    says: (page) => page.getByText('renamed approver').first(),
  },
  workspaces: {
    move: ({ fake }) => {
      Object.assign(fake.data.spaces[1], { root: '/srv/moved/handbook' });
      fake.emit({ type: 'workspace.changed', workspace: fake.data.spaces[1] });
    },
    says: (page) => page.getByText('/srv/moved/handbook'),
  },
  webhooks: {
    move: ({ fake }) => {
      fake.add.webhook('night-pager');
      fake.emit({ type: 'webhook.changed', webhookId: fake.data.webhooks.at(-1).id });
    },
    says: (page) => page.getByRole('cell', { name: 'night-pager', exact: true }),
  },
  audit: {
    move: ({ fake }) => {
      fake.data.changes.unshift({ ...fake.data.changes[0], summary: 'second approver changed it again', index: 41_209 });
      fake.emit({ type: 'receipt.written', receipt: { ...fake.data.summaries[0], id: fake.data.changes[0].receiptId, kind: 'admin' } });
    },
    says: (page) => page.getByText('second approver changed it again'),
  },
};

/** Pages that no event moves; they are read again when the server is back. */
const READ_AGAIN = {
  server: { move: ({ fake }) => (fake.data.version = '0.2.0'), says: (page) => page.getByText('0.2.0') },
  account: { move: ({ fake }) => (fake.data.signIns[1].device = 'Opera on Haiku'), says: (page) => page.getByText('Opera on Haiku') },
};

const onItsOwn = (run) => async (use) => {
  const fake = await startFake();
  try {
    await run({ ...use, fake });
  } finally {
    await fake.close();
  }
};

async function openPage({ open, fake }, name) {
  const page = await open();
  const [path, text] = PAGES[name](fake.data);
  await page.goto(fake.url + path);
  await page.getByText(text).first().waitFor({ state: 'attached' });
  await page.getByText('Live', { exact: true }).first().waitFor();
  return page;
}

const sayAway = (page) => page.locator('cs-connection-band .caution').waitFor({ timeout: SOON });

const tests = {};
for (const [name, { move, says }] of Object.entries(MOVES)) {
  tests[`${name}: another person first`] = onItsOwn(async (use) => {
    const page = await openPage(use, name);
    move(use);
    await says(page).waitFor({ timeout: SOON });
  });
}
for (const [name, { move, says }] of Object.entries({ ...MOVES, ...READ_AGAIN })) {
  tests[`${name}: the connection is cut, things move, it is back`] = onItsOwn(async (use) => {
    const page = await openPage(use, name);
    use.fake.down();
    await sayAway(page);
    move(use);
    use.fake.up();
    await says(page).waitFor({ timeout: SOON + 500 });
    await eventually(async () => assert.equal(await page.locator('cs-connection-band .caution').count(), 0), SOON);
  });
  tests[`${name}: the server is started anew and cannot tell what happened`] = onItsOwn(async (use) => {
    const page = await openPage(use, name);
    move(use);
    use.fake.restart();
    await says(page).waitFor({ timeout: SOON + 500 });
  });
}

/** Opened while nothing answers: says so, and fills itself when the server is back. */
for (const [name, place] of Object.entries(PAGES)) {
  if (['invite', 'onboarding', 'nowhere', 'batch', 'new-plan', 'policy-explain', 'policy-replay'].includes(name)) continue;
  tests[`${name}: opened while the server does not answer`] = onItsOwn(async ({ open, fake }) => {
    const page = await open();
    const [path, text] = place(fake.data);
    fake.down();
    await page.goto(fake.url + path);
    await page.locator('cs-nav').waitFor();
    await page.waitForTimeout(700);
    assert.equal(await page.locator('cs-top-bar cs-mark').getByText('Live', { exact: true }).count(), 0);
    fake.up();
    await page
      .getByText(text)
      .first()
      .waitFor({ state: 'attached', timeout: SOON + 2_000 });
    await eventually(async () => assert.equal(await page.locator('cs-failure').count(), 0), SOON);
  });
}

tests['the browser itself goes offline: said at once, and true at once when it is back'] = onItsOwn(async (use) => {
  const page = await openPage(use, 'ask');
  await page.context().setOffline(true);
  await page.getByText('Offline', { exact: true }).first().waitFor({ timeout: SOON });
  await eventually(async () => assert.equal(await page.getByRole('button', { name: /Approve once/ }).count(), 0), SOON);
  use.fake.decide(use.fake.data.asks[0], people.other, 'deny', 'Not now');
  await page.context().setOffline(false);
  await page
    .getByText(/second approver decided first/)
    .first()
    .waitFor({ timeout: SOON });
});

export default { before: async () => ({}), tests };
