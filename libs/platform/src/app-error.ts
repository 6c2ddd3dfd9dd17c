import { ERRORS, type ErrorCode, type ErrorDetails, type Result, type WireError } from '#contracts';

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

  /** What a door sends. A bug says nothing about itself. */
  static toWire(thrown: unknown): WireError {
    const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Unexpected failure');
    return { code: error.code, message: error.message, retry: ERRORS[error.code].retry, details: error.details };
  }
}

/** The value of a pure result, or its refusal as a throw. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new AppError(result.code, result.message, result.details);
}
