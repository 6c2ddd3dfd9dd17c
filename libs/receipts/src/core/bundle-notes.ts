import type { ReceiptCheck } from '#contracts';

const MOST_PROBLEMS = 1_000;

/** Owner of what is found while a bundle is looked at. */
export class BundleNotes {
  readonly #checks: ReceiptCheck[] = [];
  readonly #problems: ReceiptCheck[] = [];
  #problemCount = 0;

  get checks(): readonly ReceiptCheck[] {
    return this.#checks;
  }

  get problems(): readonly ReceiptCheck[] {
    return this.#problems;
  }

  get problemCount(): number {
    return this.#problemCount;
  }

  check(name: string, ok: boolean | null, detail: string): void {
    this.#checks.push({ name, ok, detail });
  }

  problem(file: string, detail: string): void {
    this.#problemCount += 1;
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ name: file, ok: false, detail });
  }
}
