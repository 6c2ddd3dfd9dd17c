import type { ServerResponse } from 'node:http';
import { Injectable, Optional, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { filter, type Subscription } from 'rxjs';
import { hasScope, SCOPES } from '#contracts';
import type { Principal, PrincipalId, WorkspaceId } from '#contracts';
import { AppError } from '../app-error.js';
import { Clock } from '../clock.js';
import { EventFeed } from '../event-feed.js';
import { PrincipalDirectory } from '../principals.js';
import { ScheduledWork } from '../scheduled-work.js';

/** A viewer with more unsent bytes than this is closed, not waited for; it comes back with its cursor. */
const MAX_UNSENT_BYTES = 1_048_576;
const MAX_STREAMS = 5_000;
/** So that one caller alone never takes the place of all others. */
const MAX_PER_PRINCIPAL = 1_024;
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');
const OPENING = Buffer.from('retry: 1000\n\n');
const DRAIN_WITHIN_MS = 10_000;

/** One open stream of server-sent events, on a reply that Fastify has let go. */
export class HotStream {
  readonly #raw: ServerResponse;
  readonly #ended: () => void;
  #principal: Principal;

  constructor(raw: ServerResponse, principal: Principal, ended: () => void) {
    this.#raw = raw;
    this.#principal = principal;
    this.#ended = ended;
    raw.once('close', ended);
  }

  /** Whom it serves, with the rights it had when last checked. */
  get principal(): Principal {
    return this.#principal;
  }

  get isOpen(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded;
  }

  /** Sends a finished frame. A viewer that does not keep up is closed. */
  write(frame: Buffer | string): void {
    if (!this.isOpen) return;
    if (this.#raw.writableLength > MAX_UNSENT_BYTES) this.destroy();
    else this.#raw.write(frame);
  }

  /** Resolves when the viewer has taken most of what was sent; closes one that does not within some seconds. */
  async drained(): Promise<void> {
    if (!this.isOpen || this.#raw.writableLength <= MAX_UNSENT_BYTES / 2) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => this.destroy(), DRAIN_WITHIN_MS);
      const done = (): void => {
        clearTimeout(late);
        this.#raw.off('drain', done).off('close', done);
        resolve();
      };
      this.#raw.on('drain', done).on('close', done);
    });
  }

  renew(principal: Principal): void {
    this.#principal = principal;
  }

  /** The last word: no more frames, and the viewer sees an orderly end. */
  end(): void {
    this.#raw.end();
    this.#ended();
  }

  destroy(): void {
    this.#raw.destroy();
    this.#ended();
  }
}

/**
 * Owner of every hot stream's life: headers, keep-alive, and the end when the viewer leaves, its credential expires or is
 * revoked, or the server stops.
 */
@Injectable()
export class HotStreams implements OnModuleInit, OnModuleDestroy {
  readonly #streams = new Set<HotStream>();
  readonly #perPrincipal = new Map<PrincipalId, number>();
  #watching: Subscription | undefined;

  constructor(
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
    @Optional() private readonly directory?: PrincipalDirectory,
  ) {}

  /** How many viewers there are. */
  get size(): number {
    return this.#streams.size;
  }

  onModuleInit(): void {
    this.work.every(KEEP_ALIVE_MS, 'Keeping streams alive', () => this.keepAlive());
    this.#watching = this.feed.live.pipe(filter(({ type }) => type === 'person.changed' || type === 'token.changed')).subscribe((event) => {
      const changed = event.type === 'person.changed' ? event.personId : event.type === 'token.changed' ? event.tokenId : '';
      void this.#recheck([...this.#streams].filter(({ principal: { id, personId } }) => id === changed || personId === changed));
    });
  }

  onModuleDestroy(): void {
    this.#watching?.unsubscribe();
    for (const stream of this.#streams) stream.end();
  }

  /** Takes the reply from Fastify and makes it a stream. Throws before that when there are too many, or nobody could be heard leaving. */
  open(reply: FastifyReply, principal: Principal, closed: () => void = () => undefined): HotStream {
    const own = this.#perPrincipal.get(principal.id) ?? 0;
    if (this.#streams.size >= MAX_STREAMS || own >= MAX_PER_PRINCIPAL)
      throw new AppError('RATE_LIMITED', 'Too many streams are open; close some first');
    const { raw } = reply;
    // A reply that has no socket yet waits behind others of its connection, and never hears that the client has left.
    if (raw.destroyed || raw.socket === null)
      throw new AppError('RATE_LIMITED', 'A stream needs its connection for itself; wait for the answers before it');
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) raw.setHeader(name, value); // a hijacked reply loses what hooks have set
    }
    raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    if (reply.request.method === 'HEAD') raw.end();
    else raw.write(OPENING);
    const stream = new HotStream(raw, principal, () => {
      if (!this.#streams.delete(stream)) return;
      this.#count(principal.id, -1);
      closed();
    });
    this.#streams.add(stream);
    this.#count(principal.id, 1);
    return stream;
  }

  /** One round: ends the streams whose time is over or whose principal is gone, and sends the others a comment. */
  async keepAlive(): Promise<void> {
    await this.#recheck([...this.#streams]);
    for (const stream of this.#streams) stream.write(KEEP_ALIVE);
  }

  #count(id: PrincipalId, change: 1 | -1): void {
    const left = (this.#perPrincipal.get(id) ?? 0) + change;
    if (left === 0) this.#perPrincipal.delete(id);
    else this.#perPrincipal.set(id, left);
  }

  async #recheck(streams: readonly HotStream[]): Promise<void> {
    const now = this.clock.now();
    const found = new Map<PrincipalId, Promise<Principal | undefined>>();
    for (const stream of streams) {
      const { principal } = stream;
      if (principal.expiresAt <= now) stream.end();
      else await this.#renew(stream, principal, found);
    }
  }

  /** Viewers of one sign-in share one look-up. */
  async #renew(stream: HotStream, principal: Principal, found: Map<unknown, Promise<Principal | undefined>>): Promise<void> {
    const key = this.directory?.signInOf(principal) ?? principal.id;
    let asked = found.get(key);
    if (!asked) found.set(key, (asked = this.directory?.recheck(principal) ?? Promise.resolve(undefined)));
    const renewed = await asked;
    // Who has lost a right comes back through the door, with its cursor.
    if (renewed && !hasLostRights(principal, renewed)) stream.renew(renewed);
    else stream.end();
  }
}

function hasLostRights(before: Principal, now: Principal): boolean {
  if (now.proof?.mustEnrol === true) return true;
  const places = [null, ...(Object.keys(before.workspaceScopes ?? {}) as WorkspaceId[])];
  return SCOPES.some((scope) => places.some((place) => hasScope(before, scope, place) && !hasScope(now, scope, place)));
}
