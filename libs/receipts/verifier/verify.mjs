/**
 * Countersign receipt verifier: one file, no dependency, no network. Runs in Node 18 or newer and in browsers.
 *
 *   node countersign-verify.mjs receipt.json [--hmac-key KEY] [--keys keys.json]
 *
 *   import { verifyText, renderChecks } from './countersign-verify.mjs';
 *   const checks = await verifyText(text, { hmacKey, keys });
 *
 * Every check is { name, ok, detail }. `ok` is null for what was not checked, and `detail` says why. `keys` are the public
 * keys that you trust, as `GET /api/receipts/keys` lists them; without them a file is only checked against the key in it.
 */

const MARKER = '[REDACTED FOR SHARING]';
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const REMADE = new Set(['/receipt/command_sha256', '/receipt/signature', '/envelope']);
const ADDED = new Set(['/receipt/sharing_redacted']);

/** Checks the text of a receipt file. */
export async function verifyText(text, use = {}) {
  const value = parse(text);
  if (value === undefined) return [{ name: 'form', ok: false, detail: 'The file is not JSON' }];
  return [checkForm(text, value), ...(await verifyValue(value, use))];
}

/** Checks a parsed receipt file; its form cannot be checked any more. */
export async function verifyValue(file, use = {}) {
  const wrong = fileShape(file, '');
  if (wrong.length > 0) return [{ name: 'schema', ok: false, detail: `Wrong or missing: ${wrong.slice(0, 5).join(', ')}` }];
  const checks = [{ name: 'schema', ok: true, detail: file.receipt ? 'Receipt 1.0 with evidence and proof' : 'Evidence and proof' }];
  for (const [name, check] of CHECKS) {
    checks.push({ name, ...(await attempt(check, file, use)) });
  }
  return checks;
}

/** Content without a canonical form, or nested without end, has no digest that could be right. */
async function attempt(check, file, use) {
  try {
    const [ok, detail] = await check(file, use);
    return { ok, detail };
  } catch {
    return { ok: false, detail: 'The content cannot be put into its canonical form' };
  }
}

const OWN_KEY = 'Anybody can make such a file with a key of their own. Name the key that you trust to know who made this one.';

export function renderChecks(checks) {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const mark = (ok) => (ok === null ? '-   ' : ok ? 'ok  ' : 'FAIL');
  const failed = checks.filter(({ ok }) => ok === false).length;
  const open = checks.filter(({ ok }) => ok === null).length;
  const isOwnKey = checks.some(({ name, ok }) => name === 'key' && ok === null);
  const end =
    failed > 0
      ? `NOT VALID: ${failed} of ${checks.length} checks failed`
      : `VALID${isOwnKey ? ' IN ITSELF' : ''}${open > 0 ? `, ${open} not checked` : ''}`;
  return [
    ...checks.map(({ name, ok, detail }) => `${mark(ok)}  ${name.padEnd(width)}  ${inert(detail)}`),
    '',
    end,
    ...(failed === 0 && isOwnKey ? [OWN_KEY] : []),
    '',
  ].join('\n');
}

/** What a file says must not move the cursor or hide a line of the verdict on it. */
function inert(text) {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
}

const CHECKS = [
  ['agreement', checkAgreement],
  ['hmac', checkHmac],
  ['key', checkKey],
  ['signature', checkSignature],
  ['statement', checkStatement],
  ['leaf', checkLeaf],
  ['inclusion', checkInclusion],
  ['checkpoint', checkCheckpoint],
];

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkForm(text, value) {
  const name = 'form';
  const given = text.replace(/\n$/, '');
  const right = canonicalOf(value);
  if (given === right) return { name, ok: true, detail: 'Canonical JSON' };
  // Another length: someone printed it in another way. The same length: its keys in another order, or somebody touched it.
  if (right === undefined || (given.length === right.length && given !== JSON.stringify(value)))
    return { name, ok: false, detail: 'Not canonical JSON, though nobody re-formatted it' };
  return { name, ok: null, detail: 'Re-formatted since it was written; its content is checked below' };
}

function canonicalOf(value) {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}

function checkAgreement({ receipt, evidence, proof }) {
  if ((receipt !== null) !== (evidence.kind === 'run')) return [false, `A receipt of kind ${evidence.kind} does not fit its parts`];
  if (!receipt) return [true, 'There is one part'];
  if ((receipt.sharing_redacted === true) !== (proof.ledger.digests !== undefined)) {
    return [false, 'One part says that it was made for sharing, another does not'];
  }
  const outcome = { interrupted: 'failed', unknown: 'failed' }[evidence.outcome] ?? evidence.outcome;
  const isRunOutcome = outcome !== undefined && outcome !== 'blocked' && outcome !== 'rejected';
  const agrees =
    receipt.id === evidence.id &&
    receipt.plan_id === (evidence.plan_id ?? receipt.plan_id) &&
    receipt.session_id === (evidence.session_id ?? receipt.session_id) &&
    (!isRunOutcome || receipt.status === outcome);
  return agrees ? [true, 'Both parts tell the same story'] : [false, 'The parts tell different stories'];
}

function checkHmac({ receipt }, { hmacKey }) {
  if (!receipt) return [null, 'There is no 1.0 part'];
  if (receipt.command_sha256 !== sha256Hex(receipt.command)) return [false, 'command_sha256 is not the digest of the command'];
  if (hmacKey === undefined) return [null, 'Only the holder of the HMAC key can check the 1.0 signature'];
  const { signature, ...unsigned } = receipt;
  const right = hex(hmacSha256(bytesOf(hmacKey), bytesOf(sortedAsciiJson(unsigned))));
  return right === signature ? [true, 'The 1.0 signature is right'] : [false, 'The 1.0 signature is wrong'];
}

function checkKey({ proof: { key, envelope, ledger } }, { keys }) {
  for (const named of [key, ledger.checkpointKey ?? key]) {
    const der = fromBase64(named.publicKey);
    if (!der || hex(sha256(der)).slice(0, 16) !== named.id) return [false, `Key id ${named.id} does not belong to its public key`];
    if (keys && !keys.some(({ id, publicKey }) => id === named.id && publicKey === named.publicKey)) {
      return [false, `Key ${named.id} is not one of the trusted keys`];
    }
  }
  if (envelope.signatures[0]?.keyid !== key.id) return [false, 'The envelope names another key'];
  return keys ? [true, `Key ${key.id} is trusted`] : [null, `Signed by key ${key.id}; compare it with the one that your server publishes`];
}

async function checkSignature({ proof: { envelope, key } }) {
  const body = fromBase64(envelope.payload);
  const signature = fromBase64(envelope.signatures[0]?.sig ?? '');
  if (!body || !signature || envelope.signatures.length !== 1) return [false, 'The Ed25519 signature is wrong'];
  const signed = concat(bytesOf(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${body.length} `), body);
  return told(
    await verifyEd25519(key.publicKey, signed, signature),
    `Ed25519 signature by key ${key.id}`,
    'The Ed25519 signature is wrong',
  );
}

function checkStatement({ receipt, evidence, proof: { envelope, ledger } }) {
  const payload = fromBase64(envelope.payload);
  const text = payload && new TextDecoder().decode(payload);
  const hmacKeyId = text === undefined ? undefined : parse(text)?.predicate?.hmac_key_id;
  const named = [
    ['receipt', receipt ? sha256Hex(canonicalJson(receipt)) : undefined],
    ['evidence', sha256Hex(canonicalJson(evidence))],
    ['plan', evidence.plan_digest],
    ['stdout', evidence.stdout?.sha256],
    ['stderr', evidence.stderr?.sha256],
  ];
  const right = canonicalJson({
    _type: 'https://in-toto.io/Statement/v1',
    subject: named.flatMap(([name, digest]) => (HEX_64.test(digest ?? '') ? [{ name, digest: { sha256: digest } }] : [])),
    predicateType: 'urn:countersign:execution-receipt/v1',
    predicate: {
      id: evidence.id,
      kind: evidence.kind,
      at: evidence.at,
      ...(typeof hmacKeyId === 'string' ? { hmac_key_id: hmacKeyId } : {}),
      ...(ledger.digests ? { sharing_redacted: true, original: { index: ledger.index, leaf_hash: ledger.leafHash } } : {}),
    },
  });
  return right === text
    ? [true, 'The signed statement is about exactly this content']
    : [false, 'The signed statement is about other content'];
}

function checkLeaf({ receipt, evidence, proof: { envelope, ledger } }) {
  const fields = new Map([...fieldsOf({ receipt, evidence }), ['/envelope', envelope]]);
  return ledger.digests ? checkSharedLeaf(fields, ledger) : checkWholeLeaf(fields, ledger);
}

function checkWholeLeaf(fields, { salts, leafHash: wanted }) {
  const seed = salts['*'];
  if (seed === undefined || Object.keys(salts).length !== 1) return [false, 'The salts do not fit a complete file'];
  const found = leafHash(digestFields(fields, (pointer) => sha256Hex(seed + pointer).slice(0, 32)));
  return found === wanted
    ? [true, `The ledger entry commits to all ${fields.size} fields`]
    : [false, 'The ledger entry commits to other content'];
}

function checkSharedLeaf(fields, { salts, digests, leafHash: wanted }) {
  const isMarker = (value) => value === MARKER || (Array.isArray(value) && value.length === 1 && value[0] === MARKER);
  for (const [pointer, value] of fields) {
    if (Object.hasOwn(digests, pointer) && !REMADE.has(pointer) && !isMarker(value)) {
      return [false, `${pointer} shows a value that the ledger entry does not back`];
    }
  }
  const shown = new Map([...fields].filter(([pointer]) => !ADDED.has(pointer) && !Object.hasOwn(digests, pointer)));
  for (const pointer of shown.keys()) {
    if (!Object.hasOwn(salts, pointer)) return [false, `${pointer} has no salt, so nothing backs it`];
  }
  if (Object.keys(salts).length !== shown.size) return [false, 'There are salts for fields that the file does not have'];
  const found = leafHash({ ...digests, ...digestFields(shown, (pointer) => salts[pointer]) });
  return found === wanted
    ? [true, `The ledger entry backs ${shown.size} shown fields; ${Object.keys(digests).length} are hidden`]
    : [false, 'The ledger entry commits to other content'];
}

async function checkInclusion({ proof: { ledger, key } }) {
  const { inclusion, checkpoint, index, leafHash: leaf, checkpointKey } = ledger;
  if (!inclusion || checkpoint === null) {
    return inclusion || checkpoint !== null
      ? [false, 'Proof and checkpoint do not come together']
      : [null, 'The file holds no proof of inclusion'];
  }
  const head = await openCheckpoint(checkpoint, (checkpointKey ?? key).publicKey);
  if (head === null) return [null, NO_ED25519];
  if (!head) return [false, 'There is no valid checkpoint to prove inclusion in'];
  if (head.size !== inclusion.treeSize) return [false, 'The proof is for another checkpoint'];
  return verifyInclusion(index, inclusion.treeSize, leaf, inclusion.hashes, head.rootHash)
    ? [true, `Entry ${index} of a ledger with ${head.size}`]
    : [false, 'The entry is not in the ledger of the checkpoint'];
}

async function checkCheckpoint({ proof: { ledger, key } }) {
  if (ledger.checkpoint === null) return [null, 'The file holds no checkpoint'];
  const head = await openCheckpoint(ledger.checkpoint, (ledger.checkpointKey ?? key).publicKey);
  if (head === null) return [null, NO_ED25519];
  return head ? [true, `Signed head of ${head.origin}, size ${head.size}`] : [false, 'The checkpoint is not signed by the key'];
}

// Ledger

/** Objects and lists whose parts are fields of their own (`*`: each member of a list). Everything else is one field as a whole. */
const TAKEN_APART = new Set([
  ...['/receipt', '/receipt/policy', '/evidence', '/evidence/requester', '/evidence/workspace', '/evidence/policy'],
  ...['/evidence/approvals', '/evidence/approvals/*', '/evidence/stages', '/evidence/stages/*', '/evidence/stdout', '/evidence/stderr'],
]);

/** Fields by JSON Pointer. */
function fieldsOf(content) {
  const fields = new Map();
  const visit = (value, pointer, pattern) => {
    const parts = TAKEN_APART.has(pattern) ? partsOf(value) : [];
    if (parts.length === 0) fields.set(pointer, value);
    const isList = Array.isArray(value);
    for (const [name, part] of parts) {
      visit(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, `${pattern}/${isList ? '*' : name}`);
    }
  };
  for (const [name, value] of Object.entries(content)) visit(value, `/${name}`, `/${name}`);
  return fields;
}

function partsOf(value) {
  if (isRecord(value)) return Object.entries(value);
  return Array.isArray(value) && value.every(isRecord) ? value.map((part, index) => [String(index), part]) : [];
}

function digestFields(fields, salt) {
  return Object.fromEntries([...fields].map(([pointer, value]) => [pointer, sha256Hex(canonicalJson([salt(pointer), pointer, value]))]));
}

function leafHash(digests) {
  return hex(sha256(concat([0], bytesOf(canonicalJson({ fields: digests, schema: 'countersign/leaf/1' })))));
}

function nodeHash(left, right) {
  return hex(sha256(concat([1], fromHex(left), fromHex(right))));
}

/** RFC 9162, section 2.1.3.2. */
export function verifyInclusion(index, size, leaf, hashes, root) {
  if (!(index >= 0 && index < size)) return false;
  let place = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of hashes) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(sibling, hash);
      while (place % 2 === 0 && place !== 0) {
        place /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    place = Math.floor(place / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && hash === root;
}

const NOTE = /^([^\s+]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)\n$/u;

/** The tree head of a C2SP signed note; undefined when it is not signed by the key, null when that cannot be checked here. */
export async function openCheckpoint(note, publicKey) {
  const [, origin, size, root, name, signature] = NOTE.exec(note) ?? [];
  const rootBytes = fromBase64(root ?? '');
  const bytes = fromBase64(signature ?? '');
  if (origin === undefined || name !== origin || !rootBytes || !bytes) return undefined;
  const raw = fromBase64(publicKey)?.slice(-32) ?? new Uint8Array();
  const keyHash = sha256(concat(bytesOf(`${name}\n`), [1], raw)).slice(0, 4);
  if (hex(bytes.slice(0, 4)) !== hex(keyHash)) return undefined;
  const isRight = await verifyEd25519(publicKey, bytesOf(`${origin}\n${size}\n${root}\n`), bytes.slice(4));
  if (isRight === null) return null;
  return isRight ? { origin, size: Number(size), rootHash: hex(rootBytes) } : undefined;
}

// Schema: a shape gives the paths that are wrong.

const HEX_64 = /^[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)$/;
const KEY_ID = /^[0-9a-f]{16}$/;

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isWellFormed = (value) => !/[\ud800-\udfff]/u.test(value);
const check = (isRight) => (value, path) => (isRight(value) ? [] : [path]);
const anything = () => [];
const text = (pattern) => check((value) => typeof value === 'string' && isWellFormed(value) && (!pattern || pattern.test(value)));
const whole = check(Number.isSafeInteger);
const truth = check((value) => typeof value === 'boolean');
const oneOf = (...wanted) => check((value) => wanted.includes(value));
const orNull = (shape) => (value, path) => (value === null ? [] : shape(value, path));
const list = (item) => (value, path) => (Array.isArray(value) ? value.flatMap((entry, index) => item(entry, `${path}/${index}`)) : [path]);
const object = (fields, others) => (value, path) => {
  if (!isRecord(value)) return [path || 'the file'];
  const known = Object.entries(fields).flatMap(([name, shape]) => {
    const key = name.replace(/\?$/, '');
    if (Object.hasOwn(value, key)) return shape(value[key], `${path}/${key}`);
    return name.endsWith('?') ? [] : [`${path}/${key}`];
  });
  const names = new Set(Object.keys(fields).map((name) => name.replace(/\?$/, '')));
  const unknown = Object.keys(value).filter((key) => !names.has(key));
  return [...known, ...unknown.flatMap((key) => (others ? others(value[key], `${path}/${key}`) : [`${path}/${key}`]))];
};

const risk = oneOf('low', 'medium', 'high', 'blocked');
const receiptShape = object({
  schema_version: oneOf('1.0'),
  id: text(UUID),
  plan_id: text(UUID),
  session_id: text(UUID),
  command: text(),
  command_sha256: text(HEX_64),
  cwd: text(),
  mode: oneOf('inspect', 'confirm', 'trusted'),
  risk,
  approved: truth,
  policy: object({ allowed: truth, risk, requires_approval: truth, reasons: list(text()), argv: list(text()) }),
  status: oneOf('succeeded', 'failed', 'cancelled', 'timed_out'),
  started_at: text(ISO_TIME),
  finished_at: text(ISO_TIME),
  duration_ms: whole,
  exit_code: orNull(whole),
  signal: orNull(whole),
  stdout: text(),
  stderr: text(),
  output_truncated: truth,
  'sharing_redacted?': oneOf(true),
  signature: text(HEX_64),
});
const streamShape = object({ bytes: whole, sha256: text(), kept: whole, redactions: whole, invalidUtf8: whole }, anything);
const evidenceShape = object(
  {
    schema: oneOf('countersign/evidence/1'),
    id: text(UUID),
    kind: oneOf('run', 'decision', 'admin'),
    requester: object({ id: text(), name: text(), kind: text(), channel: text() }, anything),
    at: text(ISO_TIME),
    summary: text(),
    'plan_digest?': text(),
    'plan_id?': text(UUID),
    'session_id?': text(UUID),
    'run_id?': text(UUID),
    'workspace?': object({ id: text(), name: text(), root: text() }, anything),
    'approvals?': list(
      object(
        { by: text(), name: text(), channel: text(), answer: oneOf('approve', 'deny'), reason: orNull(text()), at: text(ISO_TIME) },
        anything,
      ),
    ),
    'policy?': object({ version: text(), outcome: text(), risk, rules: list(text()), reasons: list(text()) }, anything),
    'outcome?': text(),
    'stages?': list(object({ argv: list(text()), ran: truth }, anything)),
    'stdout?': streamShape,
    'stderr?': streamShape,
  },
  anything,
);
const publicKeyShape = object({ id: text(KEY_ID), algorithm: oneOf('ed25519'), publicKey: text() });
const fileShape = object({
  receipt: orNull(receiptShape),
  evidence: evidenceShape,
  proof: object({
    envelope: object({
      payloadType: oneOf(PAYLOAD_TYPE),
      payload: text(),
      signatures: list(object({ keyid: text(KEY_ID), sig: text() })),
    }),
    key: publicKeyShape,
    ledger: object({
      index: whole,
      leafHash: text(HEX_64),
      salts: object({}, text(/^[0-9a-f]{32,64}$/)),
      'digests?': object({}, text(HEX_64)),
      inclusion: orNull(object({ treeSize: whole, hashes: list(text(HEX_64)) })),
      checkpoint: orNull(text()),
      'checkpointKey?': publicKeyShape,
    }),
  }),
});

// JSON

/** RFC 8785. */
function canonicalJson(value) {
  if (typeof value === 'string' && !isWellFormed(value)) throw new TypeError('Lone surrogate');
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('Not a JSON number');
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${canonicalJson(key)}:${canonicalJson(value[key])}`)
    .join(',')}}`;
}

/** What the 1.0 signature covers: sorted keys, compact, printable ASCII only. */
function sortedAsciiJson(value) {
  const ascii = (item) => JSON.stringify(item).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (Array.isArray(value)) return `[${value.map(sortedAsciiJson).join(',')}]`;
  if (!isRecord(value)) return ascii(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${ascii(key)}:${sortedAsciiJson(value[key])}`)
    .join(',')}}`;
}

// Bytes and hashes. SHA-256 stands here, since browsers offer it on secure pages only.

const bytesOf = (data) => (typeof data === 'string' ? new TextEncoder().encode(data) : data);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const sha256Hex = (data) => hex(sha256(bytesOf(data)));

function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Undefined when the text is not the one way to write these bytes. */
function fromBase64(text) {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (unit) => unit.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

const NO_ED25519 = 'This browser or runtime offers no Ed25519 here; use the downloaded verifier';

function told(isRight, right, wrong) {
  if (isRight === null) return [null, NO_ED25519];
  return isRight ? [true, right] : [false, wrong];
}

/** Null when the runtime cannot check Ed25519. */
async function verifyEd25519(publicKey, data, signature) {
  const der = fromBase64(publicKey);
  if (!der || hex(der.slice(0, -32)) !== '302a300506032b6570032100') return false;
  const { subtle } = globalThis.crypto ?? (await nodeCrypto()) ?? {};
  if (!subtle) return null;
  let key;
  try {
    key = await subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify']);
  } catch {
    return null;
  }
  return subtle.verify({ name: 'Ed25519' }, key, signature, data);
}

/** Node 18 has WebCrypto, but not as a global. */
async function nodeCrypto() {
  return typeof process === 'undefined' ? undefined : (await import('node:crypto')).webcrypto;
}

function hmacSha256(key, data) {
  const block = concat(key.length > 64 ? sha256(key) : key, new Uint8Array(64)).slice(0, 64);
  const inner = sha256(
    concat(
      block.map((byte) => byte ^ 0x36),
      data,
    ),
  );
  return sha256(
    concat(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

/** The first 32 bits of the fractional parts of square or cube roots of primes. */
function rootConstants(count, root) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes.map((prime) => fraction32(BigInt(prime), root));
}

/** floor(frac(prime ** (1 / root)) * 2 ** 32), exactly. */
function fraction32(prime, root) {
  const scaled = prime << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(root) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}

const START = rootConstants(8, 2);
const ROUND = rootConstants(64, 3);

function sha256(bytes) {
  const length = bytes.length;
  const padded = new Uint8Array(((length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) compress(state, words, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

function compress(state, words, view, at) {
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15];
    const late = words[index - 2];
    const small0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const small1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16] + small0 + words[index - 7] + small1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let index = 0; index < 64; index += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + ROUND[index] + words[index]) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] += word;
  });
}

// Command line

async function main(args) {
  const { readFileSync } = await import('node:fs');
  const [file, ...rest] = args;
  const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
  if (file === undefined || file.startsWith('--')) {
    console.error('Usage: node countersign-verify.mjs FILE [--hmac-key KEY] [--keys KEYS.json]');
    return 2;
  }
  const hmacKey = option('--hmac-key');
  const keysFile = option('--keys');
  const keys = keysFile === undefined ? undefined : JSON.parse(readFileSync(keysFile, 'utf8'));
  const checks = await verifyText(readFileSync(file, 'utf8'), { hmacKey, keys });
  console.log(renderChecks(checks));
  return checks.every(({ ok }) => ok !== false) ? 0 : 1;
}

async function isMain() {
  if (typeof process === 'undefined' || process.argv?.[1] === undefined) return false;
  const { pathToFileURL } = await import('node:url');
  const { realpathSync } = await import('node:fs');
  try {
    return import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
  } catch {
    return false;
  }
}

if (await isMain()) process.exitCode = await main(process.argv.slice(2));
