import { ERRORS, type ErrorCode, type ErrorDetails, type Result, type WireError } from '#contracts';
import { storageRefusal } from './core/storage-error.js';

/** A failure the caller can act on. Any other throw is a bug and leaves as INTERNAL. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** What a door sends. A failure of storage has its codes; a bug says nothing about itself. */
  static toWire(thrown: unknown): WireError {
    const known = translateStorageError(thrown);
    const error = known instanceof AppError ? known : new AppError('INTERNAL', 'Unexpected failure');
    return { code: error.code, message: error.message, retry: ERRORS[error.code].retry, details: error.details };
  }
}

/** The value of a pure result, or its refusal as a throw. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new AppError(result.code, result.message, result.details);
}

/** What storage says when it cannot keep something, as a refusal with a code; everything else stays what it was. */
export function translateStorageError(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const refusal = storageRefusal(thrown);
  return refusal ? new AppError(refusal.code, refusal.message, {}, { cause: thrown }) : thrown;
}
