import type { ProgramFacts } from './program-facts.js';

const PLAIN = new Set(Array.from('=dDgGhHnNpPxzF'));
const STREAMS = new Set(['/dev/stdout', '/dev/stderr', '/dev/stdin']);

/** A reader of sed scripts (GNU): finds which commands read, write and execute. */
class SedReader {
  readonly reads: string[] = [];
  readonly writes: string[] = [];
  executes = false;
  understood = true;
  #at = 0;

  constructor(private readonly text: string) {}

  read(): ProgramFacts {
    while (this.understood && this.#at < this.text.length) this.#statement();
    return { reads: this.reads, writes: this.writes, executes: this.executes, unseen: false, understood: this.understood };
  }

  #statement(): void {
    this.#skip(/[\s;]/);
    if (this.#at >= this.text.length) return;
    if (this.#peek() === '#') return void this.#line();
    this.#address();
    if (this.#peek() === ',') {
      this.#at += 1;
      this.#skip(/[ \t]/);
      this.#address();
    }
    this.#skip(/[ \t!]/);
    this.#command(this.#next());
  }

  #address(): void {
    const start = this.#peek();
    if (start === '/' || start === '\\') {
      if (start === '\\') this.#at += 1;
      this.#until(this.#next());
      this.#skip(/[IM]/);
    } else this.#skip(/[\d$~+]/);
    this.#skip(/[ \t]/);
  }

  #command(command: string): void {
    if (PLAIN.has(command)) return this.#end();
    switch (command) {
      case '{':
      case '}':
        return;
      case 'q':
      case 'Q':
      case 'l':
      case 'L':
        this.#skip(/[ \t\d]/);
        return this.#end();
      case ':':
      case 'b':
      case 't':
      case 'T':
      case 'v':
        // Versions differ on whether a blank ends a label; nothing but a separator may follow.
        this.#skip(/[ \t]/);
        this.#skip(/[^;\s}]/);
        return this.#end();
      case 'a':
      case 'i':
      case 'c':
        return this.#insertedText();
      case 'r':
      case 'R':
        return this.#file(this.reads);
      case 'w':
      case 'W':
        return this.#file(this.writes);
      case 'e':
        this.executes = true;
        return void this.#line();
      case 'y':
        this.#parts();
        return this.#end();
      case 's':
        this.#parts();
        return this.#substituteFlags();
      default:
        this.understood = false;
    }
  }

  #parts(): void {
    const delimiter = this.#next();
    if (delimiter === '' || delimiter === '\n' || delimiter === '\\') this.understood = false;
    this.#until(delimiter);
    this.#until(delimiter);
  }

  #substituteFlags(): void {
    for (;;) {
      const letter = this.#peek();
      if (letter === 'w') {
        this.#at += 1;
        return this.#file(this.writes);
      }
      if (letter === 'e') this.executes = true;
      if (!/^[gpiIeEmM\d]$/.test(letter)) return this.#end();
      this.#at += 1;
    }
  }

  #insertedText(): void {
    for (;;) {
      const line = this.#line();
      if (!/(^|[^\\])(\\\\)*\\$/.test(line)) return;
      if (this.#at >= this.text.length) return;
    }
  }

  #file(list: string[]): void {
    const name = this.#line().trim();
    if (name === '') this.understood = false;
    else if (!STREAMS.has(name)) list.push(name);
  }

  /** Behind a complete command only a separator may stand. */
  #end(): void {
    this.#skip(/[ \t]/);
    if (!/^[;\n}#]?$/.test(this.#peek())) this.understood = false;
  }

  /** To the next unescaped delimiter. One inside brackets is read differently by different versions. */
  #until(delimiter: string): void {
    for (; this.#at < this.text.length; this.#at += 1) {
      const letter = this.#peek();
      if (letter === '\\') this.#at += 1;
      else if (letter === delimiter) {
        this.#at += 1;
        return;
      } else if (letter === '[') this.#bracket(delimiter);
    }
    this.understood = false;
  }

  /** Looks ahead over a bracket expression; the reading itself goes on letter by letter. */
  #bracket(delimiter: string): void {
    const [set] = /^\[\^?\]?(?:\[[:.=].*?[:.=]\]|\\[\s\S]|[^\]\\])*\]/.exec(this.text.slice(this.#at)) ?? [''];
    const bare = set.replaceAll(/\\[\s\S]/g, '');
    if (bare.slice(1).includes(delimiter)) this.understood = false;
  }

  #line(): string {
    const end = this.text.indexOf('\n', this.#at);
    const line = this.text.slice(this.#at, end < 0 ? this.text.length : end);
    this.#at = end < 0 ? this.text.length : end + 1;
    return line;
  }

  #skip(letters: RegExp): void {
    while (this.#at < this.text.length && letters.test(this.#peek())) this.#at += 1;
  }

  #peek(): string {
    return this.text[this.#at] ?? '';
  }

  #next(): string {
    const letter = this.#peek();
    this.#at += 1;
    return letter;
  }
}

export function readSed(script: string): ProgramFacts {
  return new SedReader(script).read();
}
