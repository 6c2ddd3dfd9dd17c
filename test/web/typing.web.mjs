import { accessible, assert, complaints, eventually, noSidewaysScroll } from './support/expect.mjs';
import { startFake } from './support/fake-server.mjs';

const typed = (fake) => fake.calls.filter(({ call }) => call.endsWith('/input')).map(({ body }) => body.text);
const focused = (page) => page.evaluate(() => document.activeElement?.id || document.activeElement?.className || '');

/** A run that asked for a terminal, and what a person types into it. */
export default {
  before: async () => ({ fake: await startFake() }),
  after: ({ fake }) => fake.close(),
  tests: {
    'a run without a terminal takes no input': async ({ fake, open }) => {
      const page = await open();
      await page.goto(`${fake.url}/runs/${fake.data.run.id}`);
      await page.getByRole('button', { name: 'Cancel run' }).waitFor();
      assert.equal(await page.getByLabel('Type to the program').count(), 0);
    },
    'a line goes to the program of a run with a terminal, and Esc and Tab lead out of the field': async ({ fake, open }) => {
      fake.data.runPlan.body.tty = true;
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 1440, height: 900 },
      ]) {
        fake.calls.length = 0;
        const page = await open({ viewport });
        const told = complaints(page);
        await page.goto(`${fake.url}/runs/${fake.data.run.id}`);
        const line = page.getByLabel('Type to the program');
        await line.fill('pc yes');
        await page.keyboard.press('Enter');
        await eventually(async () => assert.equal(await line.inputValue(), ''));
        await page.getByLabel('Hide what I type').check();
        await eventually(async () => assert.equal(await line.getAttribute('type'), 'password'));
        await page.getByRole('button', { name: 'Send Ctrl C' }).click();
        await eventually(() => assert.deepEqual(typed(fake), ['pc yes\r', '\u0003']));
        assert.equal(fake.data.run.status, 'running'); // letters in the field are no keys of the page

        await line.focus();
        await page.keyboard.press('Escape');
        assert.match(await focused(page), /xterm/);
        assert.match(page.url(), /\/runs\//);
        await line.focus();
        await page.keyboard.press('Tab');
        assert.notEqual(await focused(page), 'typed');
        await noSidewaysScroll(page, 'a run that takes input');
        await accessible(page, 'a run that takes input');
        assert.deepEqual(told, []);
      }
    },
    'what the server refuses stays in the field, and says why': async ({ fake, open }) => {
      fake.data.runPlan.body.tty = true;
      const page = await open();
      await page.goto(`${fake.url}/runs/${fake.data.run.id}`);
      const line = page.getByLabel('Type to the program');
      await line.fill('more');
      fake.state.takesInput = false;
      await page.keyboard.press('Enter');
      await page.getByText('This run takes no input').waitFor();
      assert.equal(await line.inputValue(), 'more');
    },
  },
};
