import type { ReceiptFile } from '#contracts';
import { canonicalJson } from './canonical-json.js';
import { ALL_FIELDS, WholeLeaf } from './leaf.js';
import { strictBase64, textOf } from './primitives.js';
import { readStatement, textsOf, type SignedStatement, type StatementTexts } from './statement.js';

/** Owner of what the checks of one file share: each part of it is written once, and each field hashed once. */
export class Content {
  #leaf: WholeLeaf | undefined;
  #texts: StatementTexts | undefined;
  #statement: SignedStatement | undefined;
  #payload: Uint8Array | undefined;

  constructor(private readonly file: ReceiptFile) {}

  /** Of a complete file; undefined when its salts are not those of one. */
  get leaf(): WholeLeaf | undefined {
    const { digests, salts } = this.file.proof.ledger;
    const { [ALL_FIELDS]: seed, ...others } = salts;
    if (digests || seed === undefined || Object.keys(others).length > 0) return undefined;
    return (this.#leaf ??= new WholeLeaf(this.file, seed));
  }

  /** Canonical JSON of both parts. Throws when they have none. */
  get texts(): StatementTexts {
    return (this.#texts ??= this.leaf?.texts ?? textsOf(this.file));
  }

  /** Canonical JSON of the file. Throws when it has none. */
  get text(): string {
    const { receipt, evidence } = this.texts;
    return `{"evidence":${evidence},"proof":${canonicalJson(this.file.proof)},"receipt":${receipt ?? 'null'}}`;
  }

  /** What the envelope signs; undefined when it is not base64. */
  get payload(): Uint8Array | undefined {
    return (this.#payload ??= strictBase64(this.file.proof.envelope.payload));
  }

  /** Undefined when it is none of ours. */
  get statement(): SignedStatement | undefined {
    return (this.#statement ??= this.payload && readStatement(textOf(this.payload)));
  }
}
