import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export { assert };

/** Waits until the check holds, asking again and again; fails with its last error. */
export async function eventually(check, withinMs = 8_000) {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  }
}

/**
 * Waits until nothing that ends by itself moves any more: a dialog that is still fading in has other colours than
 * the one that a person reads. What turns for ever, as a spinner does, is not waited for.
 */
async function settled(page) {
  await page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    for (let running = moving(); running.length > 0; running = moving()) {
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });
}

/** No serious or critical finding of axe on the page once it stands still. */
export async function accessible(page, name) {
  await settled(page);
  // The page's own policy allows no foreign script, so axe is evaluated from outside of it.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = bad.flatMap(({ id, nodes }) =>
    nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
  assert.deepEqual(told, [], `axe on ${name}`);
}

/** Nothing is wider than the window. */
export async function noSidewaysScroll(page, name) {
  const width = await page.evaluate(() => ({ content: document.documentElement.scrollWidth, window: innerWidth }));
  assert.ok(width.content <= width.window, `${name} is ${width.content} px wide in a window of ${width.window}`);
}

/** Collects what the page complains about: script errors and refused content. */
export function complaints(page) {
  const told = [];
  page.on('pageerror', (error) => told.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (4|5)\d\d|ERR_/.test(message.text())) told.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    told.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return told;
}
