/** One field of a form. Flat and plain, as clients draw it. Never ask for a secret here. */
export type FormField =
  | {
      readonly type: 'string';
      readonly title?: string;
      readonly description?: string;
      readonly enum?: readonly string[];
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly default?: string;
    }
  | { readonly type: 'boolean'; readonly title?: string; readonly description?: string; readonly default?: boolean }
  | {
      readonly type: 'number' | 'integer';
      readonly title?: string;
      readonly description?: string;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly default?: number;
    };

export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

export interface InputWanted {
  /** Opens a page. The address never holds a secret. */
  readonly url?: { readonly message: string; readonly url: string };
  /** Consent of the client: an agent host may answer it by itself. */
  readonly form?: { readonly message: string; readonly schema: FormSchema };
  /** JSON that comes back as `call.round.state`. The client can read it. */
  readonly state: unknown;
}

/** Answer of a tool that cannot go on without the client. Made by `needsInput` only. */
export class NeedsInput {
  constructor(readonly wanted: InputWanted) {}
}

/**
 * Asks the client: modern clients get an input-required result, legacy sessions are asked on their stream.
 * With neither `url` nor `form` the client only calls again, which is how a bounded wait goes on.
 */
export function needsInput(wanted: InputWanted): NeedsInput {
  return new NeedsInput(wanted);
}
