// What must be true afterwards, looked at from outside: files of the workspace, the machine's processes, and what the product hands out.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { verifyFile } from '../../dist/server/libs/receipts/src/core/index.js';
import { pause, processesWhose } from './world.mjs';

const SETTLED_WITHIN_MS = 120_000;
const PAGE = 200;

/** Waits until no run is active any more; the recovery of a lost one takes a while. */
export async function settle(person) {
  for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; await pause(250)) {
    const { items } = await person.get('/api/runs?active=true');
    if (items.length === 0) return [];
  }
  const { items } = await person.get('/api/runs?active=true');
  return items.map(({ id, status }) => `run ${id} is still ${status}`);
}

/** One flow against what is known of it; every line that comes back is a broken promise. */
export async function checkFlow(world, person, { mark, planId, told }) {
  const wrong = [];
  const plan = await person.get(`/api/plans/${planId}`);
  const lines = world.lines(mark);
  if (lines.length > 1) wrong.push(`twice: ${mark} ran ${lines.length} times`);
  for (const [id, answer] of told) {
    if (plan.receiptId !== id) wrong.push(`lost: receipt ${id} of ${mark} was acknowledged, the plan names ${plan.receiptId}`);
    const kept = await person.get(`/api/receipts/${id}`).catch(() => undefined);
    if (kept?.receipt?.signature !== answer.receipt.signature) wrong.push(`lost: receipt ${id} of ${mark} is not what was acknowledged`);
  }
  if (plan.runId === null) {
    if (lines.length > 0) wrong.push(`no receipt: ${mark} ran without a run`);
    return { wrong, end: 'never ran' };
  }
  if (plan.receiptId === null) return { wrong: [...wrong, `no receipt: the run of ${mark} is ${plan.status}`], end: plan.status };
  const file = await person.get(`/api/receipts/${plan.receiptId}`);
  wrong.push(...unverified(file, mark));
  if (file.evidence.outcome !== plan.status) wrong.push(`untrue: ${mark} is ${plan.status}, its receipt says ${file.evidence.outcome}`);
  if (plan.status === 'succeeded' && (lines.length !== 1 || file.receipt.stdout !== `ran ${mark}\n`))
    wrong.push(`untrue: ${mark} succeeded and left ${lines.length} lines`);
  if ((file.evidence.survivors ?? []).length > 0) wrong.push(`left: ${mark} names survivors`);
  return { wrong, end: plan.status };
}

function unverified(file, mark) {
  const checks = verifyFile(file);
  return checks.length > 1 && checks.every(({ ok }) => ok !== false)
    ? []
    : [`unverified: ${mark}: ${checks.map(({ name, ok }) => `${name} ${ok}`).join(', ')}`];
}

/** The ledger as a whole: no gap, one entry a run, and every head that was ever seen is one of its beginnings. */
export async function checkLedger(person, heads) {
  const rows = [];
  for (let before = ''; before !== null;) {
    const { items, next } = await person.get(`/api/receipts?limit=${PAGE}${before && `&before=${before}`}`);
    rows.push(...items);
    before = next;
  }
  const now = await person.get('/api/receipts/checkpoint');
  const wrong = [];
  const leaves = [];
  const runs = new Map();
  for (const { id, index } of rows) {
    const { proof, evidence } = await person.get(`/api/receipts/${id}`);
    if (proof.ledger.index !== index || leaves[index] !== undefined) wrong.push(`ledger: place ${index} is named twice`);
    leaves[index] = proof.ledger.leafHash;
    if (evidence.run_id !== undefined) runs.set(evidence.run_id, (runs.get(evidence.run_id) ?? 0) + 1);
  }
  for (const [id, count] of runs) if (count > 1) wrong.push(`ledger: run ${id} has ${count} receipts`);
  if (leaves.length !== now.size || leaves.includes(undefined)) wrong.push(`ledger: ${rows.length} receipts, the head says ${now.size}`);
  for (const { size, rootHash } of [...heads, now])
    if (rootOf(leaves.slice(0, size)) !== rootHash) wrong.push(`ledger: the head of ${size} entries is none of this ledger`);
  return { wrong, size: now.size };
}

/** RFC 9162, straight from its definition. */
function rootOf(leaves) {
  if (leaves.length === 0) return createHash('sha256').digest('hex');
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const [left, right] = [rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split))];
  return createHash('sha256')
    .update(Buffer.concat([Buffer.from([1]), Buffer.from(left, 'hex'), Buffer.from(right, 'hex')]))
    .digest('hex');
}

/** After both servers were told to stop: nothing of them or of any run is there any more. */
export async function checkNothingLeft(world, prefix) {
  const look = () => [
    ...processesWhose((words) => words.some((word) => word.includes(prefix))).map((pid) => `left: process ${pid} of a run`),
    ...processesWhose((words) => words.includes(world.workspace)).map((pid) => `left: process ${pid} in the workspace`),
    ...world.pids
      .filter((pid) => processesWhose((words) => words.some((word) => word.includes('dist/server'))).includes(pid))
      .map((pid) => `left: process ${pid} of the product`),
    ...[tmpdir(), '/dev/shm']
      .flatMap(foldersIn)
      .filter((name) => world.pids.includes(Number(name.split('-')[2])))
      .map((name) => `left: folder ${name}`),
  ];
  for (const until = Date.now() + 10_000; Date.now() < until; await pause(100)) if (look().length === 0) return [];
  return look();
}

function foldersIn(folder) {
  try {
    return readdirSync(folder).filter((name) => name.startsWith('countersign-run-'));
  } catch {
    return []; // not every system has both
  }
}
