import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformConfig } from '#platform';
import { SESSION_MS } from '../console-sessions.js';
import { clearCookie, cookieName, readCookie, setCookie, type CookieAt } from '../core/cookies.js';

/** The one reader and writer of the session cookie. */
@Injectable()
export class SessionCookie {
  constructor(private readonly config: PlatformConfig) {}

  read({ headers }: FastifyRequest): string | undefined {
    return readCookie(headers.cookie, cookieName(this.#at()));
  }

  write(reply: FastifyReply, secret: string): void {
    void reply.header('set-cookie', setCookie(secret, SESSION_MS, this.#at()));
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', clearCookie(this.#at()));
  }

  #at(): CookieAt {
    return { secure: this.config.publicUrl.startsWith('https:') };
  }
}
