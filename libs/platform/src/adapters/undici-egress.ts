import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Agent } from 'undici';
import { isPublicAddress } from '../core/public-address.js';
import { Egress, type EgressAnswer, type EgressRequest } from '../egress.js';
import { PlatformConfig } from '../platform.config.js';

const CONNECTIONS_PER_HOST = 4;

/** Two ways out: to public addresses only, and to hosts that the operator has named. */
interface WaysOut {
  readonly request: typeof import('undici').request;
  readonly guarded: Agent;
  readonly open: Agent;
}

/** Owner of connections to the outside. The client is large, and loaded when something is sent for the first time. */
@Injectable()
export class UndiciEgress extends Egress implements OnModuleDestroy {
  readonly #named: ReadonlySet<string>;
  #ways: Promise<WaysOut> | undefined;

  constructor({ egressPrivateHosts }: PlatformConfig) {
    super();
    this.#named = new Set(egressPrivateHosts);
  }

  async onModuleDestroy(): Promise<void> {
    const ways = await this.#ways;
    await Promise.all([ways?.guarded.destroy(), ways?.open.destroy()]);
  }

  override objection(url: URL): string | undefined {
    const { protocol, username, password, hostname } = url;
    if (protocol !== 'https:' && protocol !== 'http:') return 'Only http and https addresses can be reached';
    if (username !== '' || password !== '') return 'The address must not hold a user name or password';
    if (this.#isNamed(url)) return undefined;
    if (protocol === 'http:') return 'Plain http reaches only hosts that EGRESS_PRIVATE_HOSTS names';
    const address = hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0 && !isPublicAddress(address)) return notPublic(address);
    return undefined;
  }

  override async send({ method, url, headers, body, timeoutMs, maxAnswerBytes }: EgressRequest): Promise<EgressAnswer> {
    const objection = this.objection(url);
    if (objection !== undefined) return { ok: false, reason: objection };
    const { request, guarded, open } = await (this.#ways ??= openWays());
    try {
      const answer = await request(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        dispatcher: this.#isNamed(url) ? open : guarded,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readSome(answer.body, maxAnswerBytes);
      return { ok: true, status: answer.statusCode, headers: single(answer.headers), text };
    } catch (thrown) {
      return { ok: false, reason: reasonOf(thrown) };
    }
  }

  #isNamed({ hostname, host, port, protocol }: URL): boolean {
    const whole = port === '' ? `${hostname}:${protocol === 'https:' ? '443' : '80'}` : host;
    return this.#named.has(hostname) || this.#named.has(whole);
  }
}

async function openWays(): Promise<WaysOut> {
  const { Agent, request } = await import('undici');
  return {
    request,
    guarded: new Agent({ connections: CONNECTIONS_PER_HOST, connect: { lookup: publicOnly } }),
    open: new Agent({ connections: CONNECTIONS_PER_HOST }),
  };
}

/** Fails when any address of the name is not public, so that what is connected to is what was judged. */
const publicOnly: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, '', 0);
      return;
    }
    const inner = addresses.find(({ address }) => !isPublicAddress(address));
    const [first] = addresses;
    if (inner || !first) callback(new Error(inner ? notPublic(inner.address) : 'The name leads nowhere'), '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function notPublic(address: string): string {
  return `${address} is not on the public Internet; name the host in EGRESS_PRIVATE_HOSTS if it is meant`;
}

async function readSome(body: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let left = most;
  for await (const part of body) {
    parts.push(part.subarray(0, left));
    left -= part.length;
    if (left <= 0) break; // leaving the loop ends the connection
  }
  return Buffer.concat(parts).toString('utf8').toWellFormed();
}

function single(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

/** In words; never what the other side sent. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'The request failed';
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError') return 'There was no answer in time';
  const { code } = thrown as NodeJS.ErrnoException;
  return code === undefined ? thrown.message : `${thrown.message} (${code})`;
}
