// Measures the one-file verifier on a bundle, on one core: `node test/bench/verify.mjs [RECEIPTS]`. The target is 5,000 receipts a second.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const server = join(dirname(fileURLToPath(import.meta.url)), '../../dist/server');
const lib = (path) => import(join(server, 'libs/receipts/src', path));
const [
  { writeBundle },
  { leafHashOf, digestFields, leafFields, saltOf },
  merkle,
  { signStatement, signCheckpoint },
  ed25519,
  receipt10,
  core,
] = await Promise.all([
  lib('bundle-writer.js'),
  lib('core/leaf.js'),
  lib('core/merkle.js'),
  lib('core/signed.js'),
  lib('core/ed25519.js'),
  lib('core/receipt10.js'),
  lib('core/canonical-json.js'),
]);

const TARGET = 5_000;
const count = Number(process.argv[2] ?? 10_000);
const key = ed25519.signingKey(ed25519.newSigningKeyText());
const origin = `countersign/ledger/${key.public.id}`;
const AT = '2026-11-30T10:00:01.000Z';

const nodes = new Map();
const nameOf = ({ level, index }) => `${level}/${index}`;
let edge = [];
const receipts = Array.from({ length: count }, (_, index) => written(index));
const head = { origin, size: count, rootHash: merkle.rootOf(edge) };
const note = signCheckpoint(head, key);

function written(index) {
  const [id, plan_id, session_id] = [randomUUID(), randomUUID(), randomUUID()];
  const policy = { allowed: true, risk: 'low', requires_approval: false, reasons: ['Reads notes.txt'], argv: ['cat', 'notes.txt'] };
  const times = { started_at: AT, finished_at: AT, duration_ms: 5, exit_code: 0, signal: null };
  const output = { stdout: `line ${index}\n`.repeat(20), stderr: '', output_truncated: false };
  const body = { plan_id, session_id, command: 'cat notes.txt', cwd: '/srv/work', mode: 'confirm', risk: 'low', approved: true };
  const receipt = receipt10.signReceipt10(id, { ...body, policy, status: 'succeeded', ...times, ...output }, 'k'.repeat(64));
  const stream = { bytes: 12, sha256: 'b2'.repeat(32), kept: 12, redactions: 0, invalidUtf8: 0 };
  const evidence = {
    ...{ schema: 'countersign/evidence/1', id, kind: 'run', at: AT, summary: 'cat notes.txt succeeded', plan_id, session_id },
    requester: { id: randomUUID(), name: 'build bot', kind: 'token', channel: 'mcp' },
    workspace: { id: randomUUID(), name: 'work', root: '/srv/work' },
    policy: { version: '1', outcome: 'allow', risk: 'low', rules: ['read.inside'], reasons: ['Reads notes.txt'] },
    ...{ outcome: 'succeeded', plan_digest: 'a1'.repeat(32), stdout: stream, stderr: stream },
    stages: [{ join: 'first', argv: ['cat', 'notes.txt'], ran: true, exitCode: 0, signal: null, durationMs: 4 }],
  };
  const envelope = signStatement({ receipt, evidence, hmacKeyId: 'ab'.repeat(8), original: null }, key);
  const seed = randomUUID().replaceAll('-', '').repeat(2);
  const leafHash = leafHashOf(digestFields(leafFields({ receipt, evidence, envelope }), (pointer) => saltOf(seed, pointer)));
  const next = merkle.appendLeaf(index, edge, leafHash);
  edge = next.edge;
  for (const node of next.nodes) nodes.set(nameOf(node), node.hash);
  return { receipt, evidence, envelope, index, leafHash, seed };
}

async function* files() {
  for (const { receipt, evidence, envelope, index, leafHash, seed } of receipts) {
    const hashes = merkle.inclusionProof(index, count, (place) => nodes.get(nameOf(place)));
    const ledger = { index, leafHash, salts: { '*': seed }, inclusion: { treeSize: count, hashes }, checkpoint: note };
    yield { receipt, evidence, proof: { envelope, key: key.public, ledger } };
  }
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
try {
  const about = {
    ...{
      schema: 'countersign/bundle/1',
      ledger: origin,
      form: 'whole',
      reveal: [],
      selection: {},
      complete: true,
      first: 0,
      last: count - 1,
    },
    ...{ receipts: count, checkpoint: { size: count, rootHash: head.rootHash } },
  };
  const place = { createdAt: 0, retiredAt: null, firstIndex: 0, lastIndex: null, revokedAt: null, revokedIndex: null };
  const parts = { earlier: [], keys: [{ ...key.public, ...place }], records: [], schemas: [], verifier: '', receipts: files() };
  const path = join(folder, 'bundle.zip');
  await pipeline(Readable.from(writeBundle({ about, head: { ...head, note, key: key.public }, ...parts }, key)), createWriteStream(path));
  const perSecond = Math.max(...[1, 2, 3].map(() => measure(path)));
  const size = (statSync(path).size / 1_048_576).toFixed(0);
  console.log(`${core.canonicalJson(count)} receipts, ${size} MiB: ${perSecond.toFixed(0)} receipts/s on one core, target ≥ ${TARGET}`);
  process.exitCode = perSecond >= TARGET ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** By the processor time of the process and all its threads. */
function measure(path) {
  const verifier = join(server, 'countersign-verify.mjs');
  const probe = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error((user + system) / 1e6); });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(probe)}`, verifier, path, '--trust', key.public.publicKey];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 67_108_864 });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return count / Number(stderr.trim());
}
