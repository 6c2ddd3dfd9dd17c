/** A reason not to start that the operator can mend. The entry point prints its message alone, without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** A setting that cannot be used. Names the key and never the value. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';

  constructor(
    readonly keys: readonly string[],
    message: string,
  ) {
    super(message);
  }
}
