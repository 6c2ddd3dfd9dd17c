import { randomBytes } from 'node:crypto';
import { engines } from '../../../../test/support/engines.js';
import { SecretBox } from '../secret-box.js';
import { dumpDatabase, inspectBackup, loadBackup } from './backup.js';

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  await Promise.resolve();
  yield* lines;
}

describe.each(engines)('a backup on %s', (_name, open) => {
  it('that is another when it is read for the second time brings nothing in', async () => {
    const box = new SecretBox(randomBytes(32));
    const [from, to] = [await open(), await open()];
    try {
      await from.insertInto('settings').values({ name: 'color', value: 'green' }).execute();
      let text = '';
      for await (const part of dumpDatabase(from, { box, version: '1', createdAt: '2026-01-01T00:00:00Z', derived: [] })) text += part;
      const lines = text.trimEnd().split('\n');
      const head = await inspectBackup(linesOf(lines), box);
      const swapped = lines.map((line) => line.replace('green', 'black'));
      await expect(loadBackup(to, { head, lines: linesOf(swapped), box }, [])).rejects.toThrow('was changed');
      await expect(loadBackup(to, { head, lines: linesOf(lines.slice(0, -1)), box }, [])).rejects.toThrow('not whole');
      expect(await to.selectFrom('settings').selectAll().execute()).toEqual([]);
      expect(await loadBackup(to, { head, lines: linesOf(lines), box }, [])).toBeGreaterThan(0);
      expect(await to.selectFrom('settings').selectAll().execute()).toEqual([{ name: 'color', value: 'green' }]);
    } finally {
      await from.destroy();
      await to.destroy();
    }
  });
});
