import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { databases } from '../support/engines.js';
import { temporaryFolder } from '../support/server.mjs';
import { root } from '../support/tree.js';

jest.setTimeout(240_000);

/** The benchmark does the same with ten thousand. */
const EACH = 200;

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [...args], { cwd: root, env: { ...process.env, LOG_LEVEL: 'error', ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(text)))));
}

describe.each(databases)('two processes that write to one ledger on %s', (_name, create) => {
  it('make one log without a fork, in which every receipt and every node is right', async () => {
    const folder = temporaryFolder();
    const database = await create();
    const env = { COUNTERSIGN_DATA: join(folder, 'data'), ...database.env };
    const writer = join(root, 'test/support/ledger-writer.mjs');
    try {
      await Promise.all([1, 2].map(() => run([writer, String(EACH)], env)));
      const check = `import { openLedger } from ${JSON.stringify(writer)};
        const ledger = await openLedger();
        console.log(JSON.stringify(await ledger.check.all()));
        await ledger.close();`;
      const found = JSON.parse(await run(['--input-type=module', '-e', check], env)) as unknown;
      expect(found).toMatchObject({ entries: 2 * EACH, deleted: 0, problems: [] });
    } finally {
      await database.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
