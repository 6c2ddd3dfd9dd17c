import { Injectable, type LoggerService } from '@nestjs/common';
import { destination, pino, type Level, type Logger } from 'pino';
import { redactLog } from './core/redact-log.js';
import { PlatformConfig } from './platform.config.js';

const STDERR = 2;
/** What Nest says while it starts is of use to nobody but its own authors; why a start failed is said by the one who started. */
const START_CONTEXTS: ReadonlySet<string> = new Set([
  'ExceptionHandler',
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/**
 * Owner of the log: one JSON object a line, on standard error, because standard output belongs to the banner and to MCP over
 * STDIO. Every line passes the redaction last, so that nothing that is logged by mistake shows a token.
 */
@Injectable()
export class AppLog implements LoggerService {
  readonly pino: Logger;

  constructor({ logLevel }: PlatformConfig) {
    this.pino = createLog(logLevel, destination({ fd: STDERR, sync: true }));
  }

  log(message: unknown, ...rest: readonly unknown[]): void {
    this.#write(isOfStart(rest) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: readonly unknown[]): void {
    this.#write('fatal', message, rest);
  }

  error(message: unknown, ...rest: readonly unknown[]): void {
    this.#write(isOfStart(rest) ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: readonly unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: readonly unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: readonly unknown[]): void {
    this.#write('trace', message, rest);
  }

  /** Nest puts the name of the class that speaks last, and an error or a stack before it. */
  #write(level: Level, message: unknown, rest: readonly unknown[]): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const last = rest.at(-1);
    const context = typeof last === 'string' && !isStack(last) ? last : undefined;
    const error = [message, ...rest].find(isError);
    const stack = rest.find((part) => typeof part === 'string' && isStack(part));
    const text = isError(message) ? message.message : typeof message === 'string' ? message : JSON.stringify(message);
    this.pino[level]({ context, ...(error ? { err: error } : stack === undefined ? {} : { err: { stack } }) }, text);
  }
}

/** A logger that writes redacted lines; `LOG_LEVEL` decides how many. */
export function createLog(level: string, to: { write(line: string): void }): Logger {
  return pino({ level, base: null, formatters: { level: (label) => ({ level: label }) }, hooks: { streamWrite: redactLog } }, to);
}

function isOfStart(rest: readonly unknown[]): boolean {
  return START_CONTEXTS.has(String(rest.at(-1)));
}

function isStack(text: string): boolean {
  return text.includes('\n    at ');
}

/** By shape: errors of Node's own modules may come from another realm. */
function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
}
