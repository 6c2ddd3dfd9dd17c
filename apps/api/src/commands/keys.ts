import { parseArgs } from 'node:util';
import { LocalCallers } from '#auth';
import { KEY_USES, type KeyInfo, type KeyUse } from '#contracts';
import { KeyChanges, ReceiptKeys } from '#receipts';
import { withApp } from '../with-app.js';

const USAGE = 'Usage: countersign keys list | keys rotate [ed25519|hmac] | keys revoke ID --reason TEXT\n';

/** The keys that sign receipts. A running server takes a new one up with its next receipt; nothing has to be restarted. */
export async function keys(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  const { values, positionals } = parseArgs({ args: rest, allowPositionals: true, options: { reason: { type: 'string' } } });
  const [subject] = positionals;
  if (positionals.length <= 1) {
    if (verb === 'list' && subject === undefined) return list();
    if (verb === 'rotate' && (subject === undefined || isUse(subject))) return rotate(subject === undefined ? KEY_USES : [subject]);
    if (verb === 'revoke' && subject !== undefined && values.reason) return revoke(subject, values.reason);
  }
  process.stderr.write(USAGE);
  return 2;
}

function isUse(text: string): text is KeyUse {
  return (KEY_USES as readonly string[]).includes(text);
}

function list(): Promise<number> {
  return withApp((app) => {
    process.stdout.write(app.get(ReceiptKeys).infos.map(row).join(''));
    return Promise.resolve(0);
  });
}

function rotate(uses: readonly KeyUse[]): Promise<number> {
  return withApp(async (app) => {
    for (const use of uses) {
      const { id } = await app.get(KeyChanges).rotate(app.get(LocalCallers).commandLine(), use);
      process.stdout.write(`Key ${id} is now the active ${use} key.\n`);
    }
    return 0;
  });
}

function revoke(id: string, reason: string): Promise<number> {
  return withApp(async (app) => {
    const { revokedIndex } = await app.get(KeyChanges).revoke({ by: app.get(LocalCallers).commandLine(), id, reason });
    process.stdout.write(`Key ${id} is revoked since ledger entry ${String(revokedIndex)}.\n`);
    return 0;
  });
}

function row({ id, use, isActive, firstIndex, lastIndex, revokedIndex, createdAt }: KeyInfo): string {
  const state = revokedIndex !== null ? `revoked since entry ${String(revokedIndex)}` : isActive ? 'active' : 'retired';
  const entries = `entries ${String(firstIndex)}–${lastIndex === null ? '' : String(lastIndex)}`;
  return `${id}  ${use.padEnd(7)}  ${state.padEnd(24)}  ${entries.padEnd(20)}  made ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')}\n`;
}
