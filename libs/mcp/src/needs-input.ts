import { inputRequired, type InputRequest } from '@modelcontextprotocol/server';

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

/** Answer of a tool that cannot go on without the client. Tools make it with `needsInput`. */
export class NeedsInput {
  constructor(
    readonly requests: Readonly<Record<string, InputRequest>>,
    readonly state: unknown,
  ) {}
}

/**
 * Asks the client: modern clients get an input-required result, legacy sessions are asked on their stream.
 * With neither `url` nor `form` the client only calls again, which is how a bounded wait goes on.
 */
export function needsInput({ url, form, state }: InputWanted): NeedsInput {
  const requests: Record<string, InputRequest> = {};
  if (url) requests['url'] = inputRequired.elicitUrl(url);
  if (form) {
    const requestedSchema = structuredClone(form.schema) as Parameters<typeof inputRequired.elicit>[0]['requestedSchema']; // ours is the readonly part of it
    requests['form'] = inputRequired.elicit({ mode: 'form', message: form.message, requestedSchema });
  }
  return new NeedsInput(requests, state ?? null);
}
