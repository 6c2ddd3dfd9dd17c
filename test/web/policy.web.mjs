import { assert, complaints, eventually } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';
import { people } from './support/sample-data.mjs';

const withFake =
  (run, over = {}) =>
  async (use) => {
    const fake = await startFake(over);
    try {
      await run({ ...use, fake });
    } finally {
      await fake.close();
    }
  };

async function at(open, fake, path, options) {
  const page = await open(options);
  await page.goto(fake.url + path);
  await page.getByText('Live', { exact: true }).first().waitFor();
  return page;
}

const sent = (fake, call) => fake.calls.filter((one) => one.call === call).map(({ body }) => body);
const saves = (fake) => sent(fake, 'POST policy/versions');

/** Types at the end of the text, as a person does. */
async function write(page, text) {
  await page.getByRole('textbox', { name: 'Policy as YAML' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

async function replayed(page) {
  await page
    .getByRole('link', { name: /^Replay/ })
    .or(page.getByRole('tab', { name: /^Replay/ }))
    .first()
    .click();
  const act = page.getByRole('button', { name: 'Replay on history' });
  await eventually(async () => assert.notEqual(await act.getAttribute('aria-disabled'), 'true'));
  await act.click();
  await page.getByText('3 looser').waitFor();
  await eventually(async () => assert.equal(await page.getByText('The draft has changed since this replay.').count(), 0));
}

async function openLooser(page) {
  for (const row of await page.locator('cs-replay-table .row', { hasText: 'Looser' }).all()) await row.getByRole('button').click();
}

export default {
  tests: {
    'the rules in force are read as sentences or as their text, the built-in policy too': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy');
      const told = complaints(page);
      await page.waitForURL(/policy\/rules/);
      await page.getByText('two-for-pushes').waitFor();
      await page.getByText('Never the one who asked').waitFor();
      await page.getByText('Mon Tue Wed Thu Fri 18:00–08:00 Europe/Berlin').waitFor();
      await page.getByRole('heading', { name: /Built-in policy/ }).waitFor();
      await page.getByLabel('Find a built-in rule').fill('secret');
      await page.getByText('is where secrets are kept').waitFor();
      assert.equal(await page.getByText('It connects to').count(), 0);
      await page.getByRole('button', { name: 'As YAML' }).click();
      await page.getByText('not_requester: true').waitFor();
      assert.deepEqual(told, []);
    }),

    'a mistake stands at its line and keeps the draft from being saved': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/edit');
      await page.getByText('All 2 examples hold.').waitFor();
      await write(page, '  - nmae: x');
      await page.getByText('1 problem', { exact: true }).waitFor();
      await page.getByText('is not a key that is known here').waitFor();
      await page.locator('.cm-lint-marker-error').waitFor();
      await page.getByText('Mend what is wrong first.').waitFor();
      await page.locator('body').click({ position: { x: 5, y: 5 } });
      await page.getByRole('button', { name: 'Line 27' }).click();
      assert.match(await page.evaluate(() => document.activeElement?.className ?? ''), /cm-content/);
      await page.getByRole('button', { name: /Save version/ }).click({ force: true });
      assert.equal(saves(fake).length, 0);
    }),

    'an example that fails is told beside its line': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/edit');
      await page.getByText('All 2 examples hold.').waitFor();
      await write(page, '# git shrug');
      await page.getByText('1 example fails').waitFor();
      await page.getByText('Mend what is wrong first.').waitFor();
    }),

    'saving waits for a replay, for every looser row, and for a note; what gets looser is asked once more': withFake(
      async ({ fake, open }) => {
        const page = await at(open, fake, '/policy/edit');
        const told = complaints(page);
        await page.getByText('All 2 examples hold.').waitFor();
        const save = page.getByRole('button', { name: 'Save version 4' });
        await page.getByText('Nothing has changed yet.').waitFor();
        await write(page, '# quicker docs');
        await page.getByText('Replay the draft on history first.').waitFor();
        await replayed(page);
        await page.getByText('Open every looser row first: 2 left.').waitFor();
        await openLooser(page);
        await page.getByText('Say what changes, and why.').waitFor();
        await save.click({ force: true });
        assert.equal(await page.evaluate(() => document.activeElement?.id), 'note');
        await page.keyboard.type('Docs need nobody');
        await eventually(async () => assert.notEqual(await save.getAttribute('aria-disabled'), 'true'));
        await write(page, ' and more');
        await page.getByText('Replay the draft on history first.').waitFor();
        await page.getByText('The draft has changed since this replay.').waitFor();
        await replayed(page);
        await openLooser(page);
        await save.click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText('Save rules that ask less often?').waitFor();
        await dialog.getByText('3 plans of the last 7 days').waitFor();
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        assert.equal(saves(fake).length, 0);
        await save.click();
        await dialog.getByRole('button', { name: 'Save version 4' }).click();
        await page.waitForURL(/versions\?version=4/);
        const [body] = saves(fake);
        assert.deepEqual([body.previous, body.note], [3, 'Docs need nobody']);
        assert.match(body.yaml, /# quicker docs and more$/);
        await page.getByText('Docs need nobody').waitFor();
        assert.deepEqual(told, []);
      },
    ),

    'a reload keeps the draft; dropping it is asked first': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/edit');
      await page.getByText('All 2 examples hold.').waitFor();
      await write(page, '# mine');
      await page.getByText('Draft of version 3').waitFor();
      await page.reload();
      await page.getByText('# mine').waitFor();
      await page.getByRole('button', { name: 'Drop the draft…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Drop the draft' }).click();
      await page.getByText('The draft is what is in force.').waitFor();
      await eventually(async () => assert.equal(await page.getByText('# mine').count(), 0));
    }),

    'when somebody else saves first, my text stays, theirs is shown, and I go on from theirs': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/edit');
      await page.getByText('All 2 examples hold.').waitFor();
      await write(page, '# mine');
      await page.getByText('Draft of version 3').waitFor();
      const theirs = { yaml: fake.data.policy.versions[0].yaml.replace('15m', '5m'), previous: 3, note: 'Faster' };
      fake.savePolicy(theirs, { id: people.other.id, name: people.other.name });
      await page.getByText('second approver saved version 4 while you wrote').waitFor();
      await page.getByRole('alert').getByText('within: 5m').waitFor();
      await page.getByText('# mine').waitFor();
      await page.getByText('Somebody else saved meanwhile.').waitFor();
      await page.getByRole('button', { name: 'Go on from version 4 with my text' }).click();
      await page.getByText('Draft of version 4').waitFor();
      await page.getByText('# mine').waitFor();
      await replayed(page);
      await openLooser(page);
      await page.getByLabel('What changes, and why').fill('Mine after all');
      await page.getByRole('button', { name: 'Save version 5' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save version 5' }).click();
      await page.waitForURL(/version=5/);
      assert.equal(saves(fake)[0].previous, 4);
    }),

    'a save that comes second is refused and loses nothing': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/edit');
      await page.getByText('All 2 examples hold.').waitFor();
      await write(page, '# mine');
      await page.getByLabel('What changes, and why').fill('Mine');
      await replayed(page);
      await openLooser(page);
      await page.route('**/api/policy/versions', async (route) => {
        if (route.request().method() === 'POST')
          fake.data.policy.versions.unshift({ ...fake.data.policy.versions[0], version: 4, note: 'First' });
        await route.continue();
      });
      await page.getByRole('button', { name: 'Save version 4' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save version 4' }).click();
      await page.getByText('POLICY_VERSION_CONFLICT').waitFor();
      await page.getByText(/saved version 4 while you wrote/).waitFor();
      await page.getByText('# mine').waitFor();
      assert.equal(await page.getByLabel('What changes, and why').inputValue(), 'Mine');
    }),

    'versions are compared, and an old one is restored after its replay': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/versions');
      await page.getByRole('heading', { name: 'Version 3 against Version 2' }).waitFor();
      await page.getByLabel('Compare with').selectOption('1');
      await page.waitForURL(/against=1/);
      await page.getByText('no-deploys-at-night').first().waitFor();
      await page.getByRole('link', { name: /Version 2/ }).click();
      await page.getByRole('button', { name: 'Restore…' }).click();
      await page.getByText('3 looser').waitFor();
      await page.getByLabel('What changes, and why').fill('Back to what was');
      await page.getByRole('button', { name: 'Restore as version 4' }).click();
      await page.waitForURL(/version=4/);
      await page.getByText('brings back version 2').waitFor();
      assert.deepEqual(sent(fake, 'POST policy/versions/2/restore'), [{ previous: 3, note: 'Back to what was' }]);
    }),

    'whoever is no administrator reads and explains, and is told why not more': withFake(
      async ({ fake, open }) => {
        const page = await at(open, fake, '/policy/rules');
        await page.getByText('Only an administrator changes policy.').waitFor();
        await page.getByText('two-for-pushes').waitFor();
        assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0);
        await page.goto(`${fake.url}/policy/edit`);
        await page.getByText('Only an administrator changes policy.').waitFor();
        await page.goto(`${fake.url}/policy/versions?version=2`);
        await page.getByRole('heading', { name: /Version 2 against/ }).waitFor();
        assert.equal(await page.getByRole('button', { name: 'Restore…' }).count(), 0);
      },
      { me: { ...people.me, roles: ['approver'], scopes: ['approvals:decide', 'receipts:read'] } },
    ),

    'a draft judges a command before it is saved': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/edit');
      await page.getByText('All 2 examples hold.').waitFor();
      await write(page, '# mine');
      await page
        .getByRole('link', { name: 'Explain', exact: true })
        .or(page.getByRole('tab', { name: 'Explain', exact: true }))
        .first()
        .click();
      await page.getByLabel('Judge by').selectOption('draft');
      await page.getByLabel('Folder inside the workspace').fill('docs');
      await page.getByRole('textbox', { name: 'Command line' }).fill('git push origin main');
      await page.keyboard.press('Control+Enter');
      await page.getByText('Rules that fired').waitFor();
      const asked = sent(fake, 'POST policy/explain');
      assert.equal(asked.length, 3);
      assert.ok(asked.every((body) => body.yaml.endsWith('# mine') && body.cwd === 'docs' && body.command === 'git push origin main'));
    }),

    'an approval is remembered for the session when a person says so, and never by the key': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, `/asks/${fake.data.asks[1].id}`);
      await page.getByText('Why it asks you').waitFor();
      await page.waitForTimeout(600);
      await page.getByRole('button', { name: 'More ways to approve' }).click();
      await page.getByRole('menuitem', { name: /Approve for this session/ }).click();
      await page.getByText('Approved once by you').waitFor();
      assert.equal(fake.calls.find(({ call }) => call.endsWith('/votes')).body.remember, 'session');
    }),

    'what may not be remembered says why': withFake(async ({ fake, open }) => {
      fake.data.asks[1].notRemembered = 'it reaches the network';
      const page = await at(open, fake, `/asks/${fake.data.asks[1].id}`);
      await page.getByText('Why it asks you').waitFor();
      await page.waitForTimeout(600);
      await page.getByRole('button', { name: 'More ways to approve' }).click();
      const way = page.getByRole('menuitem', { name: /Approve for this session/ });
      await page.getByText('Cannot be remembered: it reaches the network').waitFor();
      assert.equal(await way.isDisabled(), true);
    }),

    'after an approval a rule is made: nothing preselected, each reach with its replay': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, `/asks/${fake.data.asks[1].id}`);
      await page.getByText('Why it asks you').waitFor();
      await page.waitForTimeout(600);
      await page.getByRole('button', { name: 'More ways to approve' }).click();
      await page.getByRole('menuitem', { name: /then make a rule/ }).click();
      await page.waitForURL(/policy\/learn/);
      await page.getByText('Exactly npm install').waitFor();
      assert.equal(await page.getByRole('radio', { checked: true }).count(), 0);
      await page.getByRole('radio', { name: 'npm install', exact: true }).check();
      await page.getByText('learned-subcommand').waitFor();
      await page.getByLabel('What changes, and why').fill('Installs are seen by the lock file');
      await page.getByRole('button', { name: 'Save as version 4' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save as version 4' }).click();
      await page.waitForURL(/version=4/);
      const body = fake.calls.find(({ call }) => call.startsWith('POST policy/learned')).body;
      assert.deepEqual(body, { kind: 'subcommand', previous: 3, note: 'Installs are seen by the lock file' });
    }),

    'remembered approvals are listed with their uses and revoked after a question': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/remembered');
      await page.getByText('14 times').waitFor();
      assert.equal(await page.getByText('make test').count(), 0);
      await page.getByRole('button', { name: 'Revoke…' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the approval' }).click();
      await eventually(async () => assert.equal(await page.getByText('14 times').count(), 0));
      await page.getByLabel('State').selectOption('revoked');
      await page.waitForURL(/state=revoked/);
      await page.getByText('14 times').waitFor();
    }),

    'a proposal is replayed before it is accepted, or dismissed with a reason': withFake(async ({ fake, open }) => {
      const page = await at(open, fake, '/policy/proposals');
      await page.getByText('release-bot proposes').waitFor();
      await page.getByText('Its own words, not checked').waitFor();
      await page.getByRole('button', { name: 'Accept…' }).click();
      await page.getByText('3 looser').waitFor();
      assert.match(sent(fake, 'POST policy/replay')[0].yaml, /\n {2}- name: read-docs\n/);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Dismiss…' }).click();
      await page.getByLabel(/Why\?/).fill('Too wide');
      await page.getByRole('button', { name: 'Dismiss the proposal' }).click();
      await page.getByText('No proposal waits.').waitFor();
      await page.getByLabel('State').selectOption('dismissed');
      await page.getByText('Too wide').waitFor();
    }),
  },
};
