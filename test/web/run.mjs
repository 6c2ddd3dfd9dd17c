// Runs every *.web.mjs beside this file in one Chromium: a line per test, then one closing line. `node test/web/run.mjs [word…]` runs
// the files whose name holds one of the words.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from './support/browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const words = process.argv.slice(2);
const LIMIT_MS = 240_000;

for (const part of ['dist/web', 'dist/server']) {
  if (existsSync(join(root, part))) continue;
  console.error(`${part} is not built`);
  process.exit(1);
}
mkdirSync(join(root, 'test-results/screens'), { recursive: true });

const files = readdirSync(here)
  .filter((name) => name.endsWith('.web.mjs') && (words.length === 0 || words.some((word) => name.includes(word))))
  .sort();
const browser = await launch();
let passed = 0;
let failed = 0;
for (const file of files) {
  const { default: suite } = await import(pathToFileURL(join(here, file)).href);
  await runSuite(file.replace('.web.mjs', ''), suite);
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A suite is { before?, after?, tests: { title: run } }; what `before` gives is handed to each test. */
async function runSuite(name, { before, after, tests }) {
  let given;
  try {
    given = await before?.({ root });
    for (const [title, run] of Object.entries(tests)) await runTest(`${name}: ${title}`, (use) => run({ ...given, ...use }));
  } catch (error) {
    report(`${name}: set-up`, error);
  } finally {
    await after?.(given);
  }
}

async function runTest(title, run) {
  const contexts = [];
  const open = async (options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options });
    contexts.push(context);
    context.setDefaultTimeout(30_000);
    return context.newPage();
  };
  const started = Date.now();
  let timer;
  try {
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
    });
    await Promise.race([run({ open, root }), limit]);
    passed += 1;
    console.log(`ok    ${title} (${Date.now() - started} ms)`);
  } catch (error) {
    report(title, error);
    for (const [index, context] of contexts.entries())
      for (const page of context.pages())
        await page.screenshot({ path: join(root, `test-results/screens/failed-${failed}-${index}.png`) }).catch(() => undefined);
  } finally {
    clearTimeout(timer);
    for (const context of contexts) await context.close().catch(() => undefined);
  }
}

function report(title, error) {
  failed += 1;
  console.log(`FAIL  ${title}`);
  console.log(
    `      ${String(error?.stack ?? error)
      .split('\n')
      .slice(0, 12)
      .join('\n      ')}`,
  );
}
