import { Injectable } from '@nestjs/common';
import { Egress } from '#platform';
import type { ConnectorRequest } from '../core/connect-request.js';
import { ConnectorWire, type Target, type WireAnswer, type WireOptions } from '../ports.js';

const TIMEOUT_MS = 15_000;
/** The catalog of a self-hosted connector has 6 MB. */
const MAX_ANSWER_BYTES = 16 * 1_024 * 1_024;

/** Failures from before anything left this machine. */
const NOT_SENT = /\((ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)\)$/;

@Injectable()
export class EgressConnectorWire extends ConnectorWire {
  constructor(private readonly egress: Egress) {
    super();
  }

  override async send({ base, key, team }: Target, { method, path, body }: ConnectorRequest, more: WireOptions = {}): Promise<WireAnswer> {
    const url = new URL(base + path);
    if (this.egress.objection(url) !== undefined) return { status: 0, text: '', failure: 'not_sent' };
    const answer = await this.egress.send({
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(team !== null && { 'x-oo-team-name': team }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...more.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      timeoutMs: more.timeoutMs ?? TIMEOUT_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    if (answer.ok) return { status: answer.status, text: answer.text };
    const failure = NOT_SENT.test(answer.reason) ? 'not_sent' : answer.reason.includes('in time') ? 'timeout' : 'network';
    return { status: 0, text: '', failure };
  }
}
