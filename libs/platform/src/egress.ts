export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange, name look-up included. */
  readonly timeoutMs: number;
  /** What comes beyond it is not read. */
  readonly maxAnswerBytes: number;
}

/** What came back, or in words why nothing did. Redirects are answers like others: they are not followed. */
export type EgressAnswer =
  | { readonly ok: true; readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The one way out of this server over HTTP. It reaches public addresses only, and what the operator has named in
 * EGRESS_PRIVATE_HOSTS; a name is judged by the very address that is then connected to. Plain HTTP goes to named hosts only.
 */
export abstract class Egress {
  abstract send(request: EgressRequest): Promise<EgressAnswer>;
  /** Why a request to this address would be refused before it is sent; undefined when it would be tried. */
  abstract objection(url: URL): string | undefined;
}
