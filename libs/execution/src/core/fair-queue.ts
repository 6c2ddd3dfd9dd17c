/** A line in which owners take turns, and each owner's own things keep their order: whoever has many waiting delays nobody else. */
export class FairQueue<T> {
  /** In the order of the next turns. */
  readonly #lines = new Map<string, T[]>();

  get size(): number {
    return [...this.#lines.values()].reduce((total, { length }) => total + length, 0);
  }

  add(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
  }

  next(): T | undefined {
    const [first] = this.#lines;
    if (!first) return undefined;
    const [owner, line] = first;
    const item = line.shift();
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    return item;
  }

  /** False: it does not wait here. */
  remove(item: T): boolean {
    for (const [owner, line] of this.#lines) {
      const at = line.indexOf(item);
      if (at === -1) continue;
      line.splice(at, 1);
      if (line.length === 0) this.#lines.delete(owner);
      return true;
    }
    return false;
  }

  /** How many are taken before it as things stand; null: it does not wait here. */
  ahead(item: T): number | null {
    const lines = [...this.#lines.values()];
    const own = lines.findIndex((line) => line.includes(item));
    const at = lines[own]?.indexOf(item);
    if (at === undefined) return null;
    return lines.reduce((total, { length }, index) => total + (index === own ? at : Math.min(length, index < own ? at + 1 : at)), 0);
  }
}
