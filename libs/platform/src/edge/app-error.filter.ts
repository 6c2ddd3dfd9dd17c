import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ERRORS } from '#contracts';
import { AppError, translateStorageError } from '../app-error.js';

/** The one place a throw becomes an HTTP body. */
@Catch()
export class AppErrorFilter implements ExceptionFilter {
  readonly #log = new Logger(AppErrorFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const translated = translateHttpError(thrown);
    const code = translated instanceof AppError ? translated.code : 'INTERNAL';
    if (code === 'INTERNAL') this.#log.error('A request failed unexpectedly', thrown);
    else if (ERRORS[code].http >= 500) this.#log.warn(code, translated);
    answerError(host.switchToHttp().getResponse<FastifyReply>(), translated);
  }
}

/** Sends a failure in the one shape that every door has. */
export function answerError(reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = AppError.toWire(thrown);
  const { http } = ERRORS[error.code];
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy(); // half an answer is no answer
    return reply;
  }
  if (http === 401 && !reply.hasHeader('www-authenticate')) void reply.header('www-authenticate', 'Bearer');
  const wait = error.details['retryAfterSeconds'];
  if (typeof wait === 'number') void reply.header('retry-after', wait);
  // the route may have said another type for what it did not come to answer
  return reply.status(http).type('application/json; charset=utf-8').send({ error });
}

/** Nest throws HttpException, around Fastify's own error where there is one; Fastify's errors carry `statusCode`. */
export function translateHttpError(thrown: unknown): unknown {
  const known = translateStorageError(thrown);
  if (known instanceof AppError) return known;
  const cause = thrown instanceof HttpException ? thrown.cause : undefined;
  const status = thrown instanceof HttpException ? thrown.getStatus() : read(thrown, 'statusCode');
  const refuse = (...[code, message]: ConstructorParameters<typeof AppError>): AppError =>
    new AppError(code, message, {}, { cause: thrown });

  switch (read(thrown, 'code') ?? read(cause, 'code')) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return refuse('JSON_INVALID', 'The body is empty, but its content type says JSON');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return refuse('JSON_INVALID', 'The body is not valid JSON');
  }
  switch (status) {
    case 400:
      return isJsonError(thrown) || isJsonError(cause)
        ? refuse('JSON_INVALID', 'The body is not valid JSON')
        : refuse('INPUT_INVALID', 'The request could not be read');
    case 401:
      return refuse('AUTH_REQUIRED', 'Sign in or send a token');
    case 403:
      return refuse('SCOPE_MISSING', 'This caller may not do this');
    case 404:
    case 405:
      return refuse('ROUTE_NOT_FOUND', 'No such route');
    case 413:
      return refuse('BODY_TOO_LARGE', 'The body is larger than this route takes');
    case 415:
      return refuse('CONTENT_TYPE_UNSUPPORTED', 'Send the body as application/json');
    case 429:
      return refuse('RATE_LIMITED', 'Too many requests; wait a moment');
    case 503:
      return refuse('SHUTTING_DOWN', 'The server is stopping');
    default:
      return typeof status === 'number' && status > 400 && status < 500 ? refuse('INPUT_INVALID', 'The request could not be read') : thrown;
  }
}

/** Nest's own JSON parser throws the syntax error; a forbidden `__proto__` key is one of its refusals too. */
function isJsonError(thrown: unknown): boolean {
  const message = read(thrown, 'message');
  return read(thrown, 'name') === 'SyntaxError' || (typeof message === 'string' && /JSON|prototype property/.test(message));
}

function read(thrown: unknown, key: string): unknown {
  return typeof thrown === 'object' && thrown !== null && key in thrown ? (thrown as Record<string, unknown>)[key] : undefined;
}
