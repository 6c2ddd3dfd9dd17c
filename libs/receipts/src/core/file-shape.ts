import { RECEIPT_KINDS, RISKS } from '#contracts';
import { HEX_64, ISO_TIME, receipt10Shape, UUID } from './receipt10.js';
import { anything, exactly, list, object, oneOf, orNull, text, truth, whole } from './shape.js';
import { PAYLOAD_TYPE } from './dsse.js';

const KEY_ID = /^[0-9a-f]{16}$/;
const SALT = /^[0-9a-f]{32,64}$/;

const publicKeyShape = object({ id: text(KEY_ID), algorithm: exactly('ed25519'), publicKey: text() });
/** The marker stands in for a digest in share-safe files. */
const streamShape = object({ bytes: whole, sha256: text(), kept: whole, redactions: whole, invalidUtf8: whole }, anything);

const connectorShape = object(
  {
    connector_id: text(),
    connector_name: text(),
    provider: text(),
    action: text(),
    connection: text(),
    execution_id: orNull(text()),
    input_sha256: orNull(text()),
    output_sha256: orNull(text()),
  },
  anything,
);

/** The evidence may grow; what it has today must look like this. */
export const evidenceShape = object(
  {
    schema: exactly('countersign/evidence/1'),
    id: text(UUID),
    kind: oneOf(RECEIPT_KINDS),
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
        { by: text(), name: text(), channel: text(), answer: oneOf(['approve', 'deny']), reason: orNull(text()), at: text(ISO_TIME) },
        anything,
      ),
    ),
    'policy?': object({ version: text(), outcome: text(), risk: oneOf(RISKS), rules: list(text()), reasons: list(text()) }, anything),
    'outcome?': text(),
    'connector?': connectorShape,
    'stages?': list(object({ argv: list(text()), ran: truth }, anything)),
    'stdout?': streamShape,
    'stderr?': streamShape,
  },
  anything,
);

/** The proof is not signed as a whole, so nothing in it may be strange. */
const proofShape = object({
  envelope: object({
    payloadType: exactly(PAYLOAD_TYPE),
    payload: text(),
    signatures: list(object({ keyid: text(KEY_ID), sig: text() })),
  }),
  key: publicKeyShape,
  ledger: object({
    index: whole,
    leafHash: text(HEX_64),
    salts: object({}, text(SALT)),
    'digests?': object({}, text(HEX_64)),
    inclusion: orNull(object({ treeSize: whole, hashes: list(text(HEX_64)) })),
    checkpoint: orNull(text()),
    'checkpointKey?': publicKeyShape,
  }),
});

export const fileShape = object({ receipt: orNull(receipt10Shape), evidence: evidenceShape, proof: proofShape });
