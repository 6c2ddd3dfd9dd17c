export interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
}

export interface VerifyWith {
  readonly hmacKey?: string | Uint8Array | undefined;
  readonly keys?: readonly { readonly id: string; readonly publicKey: string }[] | undefined;
}

export interface TreeHead {
  readonly origin: string;
  readonly size: number;
  readonly rootHash: string;
}

export function verifyText(text: string, use?: VerifyWith): Promise<readonly Check[]>;
export function verifyValue(file: unknown, use?: VerifyWith): Promise<readonly Check[]>;
export function renderChecks(checks: readonly Check[]): string;
export function verifyInclusion(index: number, size: number, leaf: string, hashes: readonly string[], root: string): boolean;
export function openCheckpoint(note: string, publicKey: string): Promise<TreeHead | null | undefined>;
