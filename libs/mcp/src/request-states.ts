import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';
import canonicalize from 'canonicalize';
import { AppError, SecretBox } from '#platform';
import type { FactsOf } from './call-facts.js';

const TTL_SECONDS = 3_600;

/** What travels through the client between two rounds: the tool's own state, and which call it belongs to. */
export interface CarriedState {
  readonly state: unknown;
  readonly call: string;
}

/** Makes and checks the signed state that lets a call go on. It is bound to caller, method and arguments; it is not single-use. */
@Injectable()
export class RequestStates {
  readonly #key: Buffer;

  constructor(box: SecretBox) {
    this.#key = box.derive('mcp-request-state');
  }

  codec(factsOf: FactsOf): RequestStateCodec<CarriedState> {
    const bind = (context: ServerContext): string => JSON.stringify([factsOf(context).principal.id, context.mcpReq.method]);
    return createRequestStateCodec<CarriedState>({ key: this.#key, ttlSeconds: TTL_SECONDS, bind });
  }
}

/** SHA-256 hex over the canonical JSON of a call. */
export function digestOf(call: unknown): string {
  return createHash('sha256').update(canonical(call)).digest('hex');
}

function canonical(call: unknown): string {
  try {
    return canonicalize(call) ?? '';
  } catch (cause) {
    throw new AppError('INPUT_INVALID', 'The arguments hold text that is not valid Unicode', {}, { cause });
  }
}
