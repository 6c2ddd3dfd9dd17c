import { createRequire } from 'node:module';

/** What the optional package offers below its own processes: we start ours ourselves, through the sandbox. */
export interface Pty {
  open(cols: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
  resize(master: number, cols: number, rows: number): void;
}

/** Undefined: the package, or its binary for this machine, is not installed. */
export function loadPty(): Pty | undefined {
  const require = createRequire(import.meta.url);
  try {
    const { requireBinary } = require('@lydell/node-pty/requireBinary.js') as { requireBinary: (file: string) => Pty };
    return requireBinary('pty.node');
  } catch {
    return undefined;
  }
}
