import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { LocalCallers } from '#auth';
import { RECEIPT_KINDS, type ReceiptId, type ReceiptKind } from '#contracts';
import { bundleExtras, ReceiptExports, type ExportedFile, type ExportSelection } from '#receipts';
import { withApp } from '../with-app.js';

const USAGE = `Usage: countersign export FILE [--format bundle|intoto|csv] [--from TIME] [--to TIME] [--id RECEIPT] [--kind KIND]
                          [--outcome OUTCOME] [--tool TOOL] [--verdict VERDICT] [--q WORDS] [--share [--reveal POINTER]…]
`;
const OPTIONS = {
  format: { type: 'string', default: 'bundle' },
  from: { type: 'string' },
  to: { type: 'string' },
  id: { type: 'string' },
  kind: { type: 'string' },
  outcome: { type: 'string' },
  tool: { type: 'string' },
  verdict: { type: 'string' },
  q: { type: 'string' },
  share: { type: 'boolean', default: false },
  reveal: { type: 'string', multiple: true, default: [] as string[] },
} as const;

type Values = ReturnType<typeof read>['values'];

/** Receipts as a file that others can check: whoever can read the data folder may take them. */
export async function exportReceipts(args: readonly string[]): Promise<number> {
  const { values, positionals } = read(args);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1 || !['bundle', 'intoto', 'csv'].includes(values.format)) {
    process.stderr.write(USAGE);
    return 2;
  }
  return withApp(async (app) => {
    const principal = app.get(LocalCallers).commandLine();
    const exported = await choose(app.get(ReceiptExports), principal, values);
    await write(file, exported);
    process.stdout.write(`${file} is written.\n`);
    return 0;
  });
}

function read(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
}

async function choose(
  exports: ReceiptExports,
  principal: Parameters<ReceiptExports['bundle']>[0],
  { format, share, reveal, ...chosen }: Values,
): Promise<ExportedFile> {
  const selection = toSelection(chosen);
  const form = { isShared: share, reveal };
  if (format === 'csv') return exports.table(principal, selection, form);
  return format === 'intoto'
    ? exports.statements(principal, selection, form)
    : exports.bundle(principal, selection, form, await bundleExtras());
}

/** Nothing stands under the file's name before it is whole. */
async function write(file: string, { bytes }: ExportedFile): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(bytes), createWriteStream(part, { mode: 0o600, flags: 'wx' }));
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

function toSelection({ from, to, id, kind, ...others }: Omit<Values, 'format' | 'share' | 'reveal'>): ExportSelection {
  if (kind !== undefined && !isKind(kind)) throw new Error(`--kind takes ${RECEIPT_KINDS.join(', ')}`);
  // The brand exists at compile time only; an id that is none finds nothing.
  return { id: id as ReceiptId | undefined, from: toTime('--from', from), to: toTime('--to', to), kind, ...others };
}

function isKind(text: string): text is ReceiptKind {
  return (RECEIPT_KINDS as readonly string[]).includes(text);
}

function toTime(option: string, text: string | undefined): number | undefined {
  const time = text === undefined ? undefined : Date.parse(text);
  if (time !== undefined && Number.isNaN(time)) throw new Error(`${option} takes a time such as 2026-11-01 or 2026-11-01T12:00:00Z`);
  return time;
}
