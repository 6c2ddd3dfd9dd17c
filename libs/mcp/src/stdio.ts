import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import type { McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '#contracts';
import type { CallFacts, FactsOf } from './call-facts.js';
import { McpCalls } from './calls.js';
import { McpChanges } from './changes.js';
import { followChanges } from './follow-changes.js';
import { MOUNTS } from './mounts.js';
import { RequestStates } from './request-states.js';
import { McpServers } from './servers.js';
import { StdioLine } from './stdio-line.js';

const MODERN = '2026-07-28';
/** How long calls that are nearly done may still answer after the input has ended. */
const GRACE_MS = 1_000;

export interface StdioStreams {
  readonly input?: Readable;
  readonly output?: Writable;
}

export interface StdioServer {
  /** Settles when the connection is over and every call that was at work has ended; those still open were cancelled. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * The protocol on standard input and output, for the one principal that started this process. Nothing but the
 * protocol is written to the output. Ends when the input ends; shutting the application down is up to the caller.
 */
export function serveMcpStdio(app: INestApplicationContext, principal: Principal, streams: StdioStreams = {}): StdioServer {
  const { input = process.stdin, output = process.stdout } = streams;
  const [servers, calls, changes] = [app.get(McpServers), app.get(McpCalls), app.get(McpChanges)];
  const until = new PassThrough();
  const line = new StdioLine(until, output);
  const caller: Principal = { ...principal, channel: 'stdio' };
  const followed = new Set<string>();

  const build = ({ era }: McpRequestContext): McpServer => {
    const isLegacy = era === 'legacy';
    const factsOf: FactsOf = ({ mcpReq }): CallFacts => ({
      principal: caller,
      requestId: `stdio ${String(mcpReq.id)}`,
      protocolVersion: isLegacy ? line.protocolVersion : MODERN,
      ...(isLegacy && { capabilities: line.capabilities, followed }),
    });
    const server = servers.build({ mount: MOUNTS[0], factsOf, codec: app.get(RequestStates).codec(factsOf), method: undefined });
    server.server.onclose = followChanges(changes, server, isLegacy ? followed : undefined);
    return server;
  };

  const handle = serveStdio(build, { transport: line });
  input.pipe(until, { end: false });
  const end = async (): Promise<void> => {
    await line.answered(GRACE_MS);
    await handle.close();
    await calls.settled();
  };
  const ended = Promise.race([gone(input), line.closed]).then(end);
  return {
    ended,
    close: async () => {
      await handle.close();
      await ended;
    },
  };
}

function gone(input: Readable): Promise<void> {
  return new Promise((resolve) => {
    input
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => {
        resolve();
      });
  });
}
