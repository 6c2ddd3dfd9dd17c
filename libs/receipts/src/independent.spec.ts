import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceiptFile } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts } from '../../../test/support/receipts.js';
import { root } from '../../../test/support/tree.js';
import { KeyChanges } from './key-changes.js';
import { ReceiptKeys } from './receipt-keys.js';

const ALL = ['hmac', 'signature', 'statement', 'leaf', 'inclusion', 'checkpoint'];

it('holds for a reader that shares no code with us: Python, written from the rules', async () => {
  const app = await bootReceipts();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-python-'));
  const key = app.get(ReceiptKeys).hmac.key;
  const holds = (file: ReceiptFile): readonly string[] | undefined => {
    const path = join(folder, 'receipt.json');
    writeFileSync(path, JSON.stringify(file));
    const { error, stdout, stderr } = spawnSync('python3', [join(root, 'test/support/check_receipt.py'), path, key], { encoding: 'utf8' });
    if (error) return undefined; // where there is no Python, the other checks have the word alone
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  };
  try {
    await app.write(aDecisionDraft());
    const draft = aRunDraft({ command: 'echo "Grüße, 世界 😀"', stdout: 'Grüße\u0000\u2028 世界 😀 \u007f</script>\n' });
    const file = await app.file(draft);
    for (let turn = 0; turn < 5; turn += 1) await app.write(aDecisionDraft());
    const first = holds(file);
    if (!first) return;
    expect(first).toEqual(ALL);
    await app.get(KeyChanges).rotate(aPrincipal(), 'ed25519'); // another key for the checkpoint than for the receipt
    expect(holds(await app.file(aRunDraft()))).toEqual(ALL);
    const touched = { ...file, receipt: file.receipt && { ...file.receipt, stdout: 'other' } };
    expect(holds(touched)).toEqual(['signature', 'checkpoint']);
    const sig = file.proof.envelope.signatures[0]?.sig ?? '';
    const signatures = [{ keyid: file.proof.key.id, sig: `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}` }];
    expect(holds({ ...file, proof: { ...file.proof, envelope: { ...file.proof.envelope, signatures } } })).not.toContain('signature');
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
