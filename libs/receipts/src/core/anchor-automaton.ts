/**
 * Finds many short needles in one pass (Aho-Corasick as a table), letters compared without case.
 * Owns only the table: what a hit means is the caller's business.
 */
export class AnchorAutomaton {
  readonly #classes = new Uint16Array(65_536);
  readonly #next: Int32Array;
  /** States from here on end at least one needle. */
  readonly #firstHit: number;
  /** Needle numbers per hit state, in the order of `#firstHit`. */
  readonly #hits: readonly (readonly number[])[];
  readonly #width: number;

  constructor(needles: readonly string[]) {
    this.#width = this.#classify(needles);
    const nodes = link(plant(needles));
    const quiet = nodes.filter(({ ends }) => ends.length === 0);
    const loud = nodes.filter(({ ends }) => ends.length > 0);
    [...quiet, ...loud].forEach((node, number) => {
      node.number = number;
    });
    this.#firstHit = quiet.length * this.#width;
    this.#hits = loud.map(({ ends }) => ends);
    this.#next = this.#tabulate(nodes);
  }

  /** Whether any needle occurs. */
  hits(text: string): boolean {
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      state = this.#next[state + (this.#classes[text.charCodeAt(index)] as number)] as number;
      if (state >= this.#firstHit) return true;
    }
    return false;
  }

  /** Calls `hit` with the needle's number and the index after its last unit, in order of that index. */
  scan(text: string, from: number, to: number, hit: (needle: number, end: number) => void): void {
    const classes = this.#classes;
    const next = this.#next;
    const firstHit = this.#firstHit;
    let state = 0;
    for (let index = from; index < to; index += 1) {
      // Both arrays cover every index that can be computed here.
      state = next[state + (classes[text.charCodeAt(index)] as number)] as number;
      if (state >= firstHit) {
        for (const needle of this.#hits[(state - firstHit) / this.#width] ?? []) hit(needle, index + 1);
      }
    }
  }

  /** Gives every unit that occurs in a needle a small number; all others share 0. */
  #classify(needles: readonly string[]): number {
    let count = 1;
    for (const needle of needles) {
      for (const unit of units(needle)) {
        if (this.#classes[unit] !== 0) continue;
        const letter = String.fromCharCode(unit);
        this.#classes[unit] = count;
        if (unit < 128) this.#classes[letter.toUpperCase().charCodeAt(0)] = count;
        count += 1;
      }
    }
    return count;
  }

  #tabulate(nodes: readonly Node[]): Int32Array {
    const table = new Int32Array(nodes.length * this.#width);
    for (const node of nodes) {
      const row = node.number * this.#width;
      if (node.fail) table.copyWithin(row, node.fail.number * this.#width, (node.fail.number + 1) * this.#width);
      for (const [unit, child] of node.children) table[row + (this.#classes[unit] ?? 0)] = child.number * this.#width;
    }
    return table;
  }
}

interface Node {
  readonly children: Map<number, Node>;
  ends: number[];
  fail: Node | undefined;
  number: number;
}

const newNode = (): Node => ({ children: new Map(), ends: [], fail: undefined, number: 0 });

function plant(needles: readonly string[]): Node {
  const root = newNode();
  needles.forEach((needle, number) => {
    let node = root;
    for (const unit of units(needle)) {
      const child = node.children.get(unit) ?? newNode();
      node.children.set(unit, child);
      node = child;
    }
    node.ends.push(number);
  });
  return root;
}

/** Breadth first, so that a node's shorter suffixes are finished before the node itself. */
function link(root: Node): readonly Node[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const [unit, child] of node.children) {
      let suffix = node.fail;
      while (suffix && !suffix.children.has(unit)) suffix = suffix.fail;
      child.fail = suffix?.children.get(unit) ?? root;
      child.ends = [...child.ends, ...child.fail.ends];
      nodes.push(child);
    }
  }
  return nodes;
}

/** UTF-16 units, ASCII letters in lower case. */
function units(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, index) => {
    const unit = text.charCodeAt(index);
    return unit >= 65 && unit <= 90 ? unit + 32 : unit;
  });
}
