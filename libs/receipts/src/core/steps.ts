/** Is this Ed25519 signature over `data` by the key (SPKI DER in base64)? Null: this machine cannot tell. */
export interface SignatureQuestion {
  readonly ask: 'signature';
  readonly publicKey: string;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** The bytes of the file that is looked at; fewer at its end. */
export interface ReadQuestion {
  readonly ask: 'read';
  readonly offset: number;
  readonly length: number;
}

type Answer = boolean | null | Uint8Array;

/**
 * A check that stops where it needs the machine. So one text of each check serves Node, which answers at once, and
 * browsers, which answer later.
 */
export type Steps<T> = Generator<SignatureQuestion | ReadQuestion, T, Answer>;

export type AnswerSignature = (question: SignatureQuestion) => boolean | null;
export type AnswerRead = (question: ReadQuestion) => Uint8Array;

export interface Answers {
  readonly signature: (question: SignatureQuestion) => boolean | null | Promise<boolean | null>;
  readonly read: (question: ReadQuestion) => Uint8Array | Promise<Uint8Array>;
}

export function* askSignature(publicKey: string, data: Uint8Array, signature: Uint8Array): Steps<boolean | null> {
  return (yield { ask: 'signature', publicKey, data, signature }) as boolean | null; // what this question is answered with
}

export function* askRead(offset: number, length: number): Steps<Uint8Array> {
  return (yield { ask: 'read', offset, length }) as Uint8Array; // what this question is answered with
}

/** Runs steps to their end where every answer is at hand. */
export function settle<T>(steps: Steps<T>, answers: { readonly signature: AnswerSignature; readonly read?: AnswerRead }): T {
  let next = steps.next();
  while (!next.done) next = steps.next(answerNow(next.value, answers));
  return next.value;
}

function answerNow(
  question: SignatureQuestion | ReadQuestion,
  { signature, read }: { readonly signature: AnswerSignature; readonly read?: AnswerRead },
): Answer {
  if (question.ask === 'signature') return signature(question);
  if (!read) throw new Error('These steps read no file');
  return read(question);
}

/** Runs steps to their end; waits only for answers that come later. */
export async function settleLater<T>(steps: Steps<T>, { signature, read }: Answers): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    const answer = next.value.ask === 'signature' ? signature(next.value) : read(next.value);
    next = steps.next(answer instanceof Promise ? await answer : answer);
  }
  return next.value;
}
