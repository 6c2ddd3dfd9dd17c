import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { digestFields, leafFields, leafHashOf, saltOf } from '../../../dist/server/libs/receipts/src/core/leaf.js';

/** Makes receipt files that the product's own verifier accepts: a small signer for tests, with its own key. */
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const spki = publicKey.export({ type: 'spki', format: 'der' });
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const ORIGIN = 'test.example/ledger';

export const key = { id: sha256(spki).slice(0, 16), algorithm: 'ed25519', publicKey: spki.toString('base64') };

export function signedReceipt({ receipt, evidence, index = 0, siblings = 3 }) {
  const whole = receipt && { ...receipt, command_sha256: sha256(receipt.command), signature: '0'.repeat(64) };
  const statement = canonical({
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects(whole, evidence),
    predicateType: 'urn:countersign:execution-receipt/v1',
    predicate: { id: evidence.id, kind: evidence.kind, at: evidence.at },
  });
  const body = Buffer.from(statement);
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${body.length} `), body]);
  const envelope = {
    payloadType: PAYLOAD_TYPE,
    payload: body.toString('base64'),
    signatures: [{ keyid: key.id, sig: sign(null, signed, privateKey).toString('base64') }],
  };
  const seed = 'ab'.repeat(32);
  const fields = leafFields({ receipt: whole, evidence, envelope });
  const leaf = leafHashOf(digestFields(fields, (pointer) => saltOf(seed, pointer)));
  const { hashes, root, size } = pathFor(leaf, index, siblings);
  const ledger = { index, leafHash: leaf, salts: { '*': seed }, inclusion: { treeSize: size, hashes }, checkpoint: note(size, root) };
  return { receipt: whole, evidence, proof: { envelope, key, ledger } };
}

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join(',')}}`;
}

function subjects(receipt, evidence) {
  const named = [
    ['receipt', receipt ? sha256(canonical(receipt)) : undefined],
    ['evidence', sha256(canonical(evidence))],
    ['plan', evidence.plan_digest],
    ['stdout', evidence.stdout?.sha256],
    ['stderr', evidence.stderr?.sha256],
  ];
  return named.flatMap(([name, digest]) => (digest === undefined ? [] : [{ name, digest: { sha256: digest } }]));
}

/** A full tree of 2^siblings leaves in which this leaf has the given place. */
function pathFor(leaf, index, siblings) {
  const place = index % 2 ** siblings;
  let hash = leaf;
  const hashes = [];
  for (let level = 0; level < siblings; level += 1) {
    const sibling = sha256(`sibling ${level}`);
    hashes.push(sibling);
    const pair = (place >> level) % 2 === 1 ? [sibling, hash] : [hash, sibling];
    hash = sha256(Buffer.concat([Buffer.from([1]), Buffer.from(pair[0], 'hex'), Buffer.from(pair[1], 'hex')]));
  }
  return { hashes, root: hash, size: 2 ** siblings };
}

function note(size, root) {
  const text = `${ORIGIN}\n${size}\n${Buffer.from(root, 'hex').toString('base64')}\n`;
  const hint = createHash('sha256')
    .update(`${ORIGIN}\n`)
    .update(Buffer.from([1]))
    .update(spki.subarray(-32))
    .digest()
    .subarray(0, 4);
  const signature = Buffer.concat([hint, sign(null, Buffer.from(text), privateKey)]).toString('base64');
  return `${text}\n\u2014 ${ORIGIN} ${signature}\n`;
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}
