import type { Readable, Writable } from 'node:stream';
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { refuseShape } from './core/body-shape.js';

const MAX_MESSAGE_BYTES = 1_048_576;
const INVALID_REQUEST = -32_600;

/** The lines of one STDIO connection: knows which requests still wait for an answer, and what a legacy client declared. */
export class StdioLine implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  capabilities: unknown;
  protocolVersion = '2025-03-26';
  readonly closed: Promise<void>;
  readonly #line: StdioServerTransport;
  readonly #waiting = new Set<string | number>();
  #told: (() => void) | undefined;

  constructor(input: Readable, output: Writable) {
    this.#line = new StdioServerTransport(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.closed = promise.then(() => undefined);
    this.#line.onclose = () => {
      resolve(undefined);
      this.onclose?.();
    };
    this.#line.onerror = (error) => this.onerror?.(error);
    this.#line.onmessage = (message) => {
      this.#receive(message);
    };
  }

  start(): Promise<void> {
    return this.#line.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#line.send(message);
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
    if (message.id !== undefined) this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#told?.();
  }

  close(): Promise<void> {
    return this.#line.close();
  }

  /** Settles when no request waits for an answer any more, or when the time is over. */
  async answered(withinMs: number): Promise<void> {
    await new Promise(setImmediate); // what came in with the end of the input is received first
    if (this.#waiting.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, withinMs, undefined);
    this.#told = () => {
      resolve(undefined);
    };
    await Promise.race([promise, this.closed]);
    clearTimeout(timer);
  }

  #receive(message: JSONRPCMessage): void {
    const problem = refuseShape(message);
    if (problem !== undefined) {
      if (isJSONRPCRequest(message)) void this.send({ jsonrpc: '2.0', id: message.id, error: { code: INVALID_REQUEST, message: problem } });
      return;
    }
    if (isJSONRPCRequest(message)) this.#waiting.add(message.id);
    if (isInitializeRequest(message)) {
      this.capabilities = message.params.capabilities;
      this.protocolVersion = message.params.protocolVersion;
    }
    this.onmessage?.(message);
  }
}
