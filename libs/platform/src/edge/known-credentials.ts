import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { PrincipalId } from '#contracts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of this server; absent where `configureHttp` was not called. */
    readonly knownCredentials?: KnownCredentials;
  }
}

const MAX_KNOWN = 10_000;
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?csn_session=([^;]+)/;
/** The first four groups: whoever has one address of an IPv6 subnet has all of them. */
const IPV6_SUBNET = /^(?:[0-9a-f]{0,4}:){1,4}/i;

/** Owner of which credentials a guard has accepted lately, as hashes. */
export class KnownCredentials {
  readonly #known = new Map<string, PrincipalId>();

  /** Called when a guard has accepted the credential of a request. */
  remember({ headers }: FastifyRequest, id: PrincipalId): void {
    const digest = credentialHash(headers);
    if (digest === undefined || this.#known.get(digest) === id) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_KNOWN) this.#known.delete(oldest);
    this.#known.set(digest, id);
  }

  /** Whose allowance a request uses up: its principal's, or its address's while the credential is not known to be good. */
  allowanceOf({ headers, ip }: FastifyRequest): string {
    const digest = credentialHash(headers);
    const id = digest === undefined ? undefined : this.#known.get(digest);
    if (id !== undefined) return `principal ${id}`;
    return `address ${ip.includes(':') && !ip.startsWith('::ffff:') ? (IPV6_SUBNET.exec(ip)?.[0] ?? ip) : ip}`;
  }
}

function credentialHash(headers: FastifyRequest['headers']): string | undefined {
  const credential = headers.authorization ?? SESSION_COOKIE.exec(headers.cookie ?? '')?.[1];
  return credential === undefined ? undefined : hash('sha256', credential, 'base64url');
}
