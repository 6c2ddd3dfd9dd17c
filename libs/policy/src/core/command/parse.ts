import type { ErrorCode, Redirect, Result, Stage, StageJoin } from '#contracts';
import { parse, type Assignment, type Command, type Redirection, type Statement, type Word } from 'unbash';
import { lineFault, shown } from '../display.js';
import { limitHit, MAX_TOTAL_BYTES, MAX_WORDS } from '../limits.js';
import type { PathLook } from '../path-look.js';
import { isInside, lexicalPath, resolvePath } from '../paths/resolve.js';
import type { Where } from '../question.js';
import { RULES, type RuleId } from '../rules.js';
import { coversAll } from './coverage.js';
import { expandGlob, globBudget } from './glob.js';
import { plainWord } from './words.js';

/** A refusal on its way out of the visitor; never leaves this file. */
class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly rule: RuleId,
    message: string,
  ) {
    super(message);
  }
}

const TWICE = 'the same stream is redirected twice';

/** Words of a shell that are no programs, and what to do instead. */
const BUILTINS: Readonly<Record<string, string>> = {
  cd: 'it only helps in front of `&&`, with a folder of the workspace',
  command: 'only `command -v NAME` is understood',
  type: 'use `which`',
};

/**
 * Reads a command line as plain words joined by pipes, `&&`, `||` and `;`, with redirections to files. Everything that
 * a shell would compute, replace or run on the side is refused with the reason. We never hand the line to a shell.
 */
export function parseCommand(text: string, where: Where, look: PathLook): Result<readonly Stage[]> {
  try {
    return { ok: true, value: new Reading(where, look).read(text) };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return { ok: false, code: thrown.code, message: thrown.message, details: { rule: thrown.rule } };
  }
}

/** One reading of one line: keeps the stages and the folder that `cd` has chosen. */
class Reading {
  readonly #stages: Stage[] = [];
  #folder: string | null = null;
  #words = 0;
  readonly #names = globBudget();

  private readonly where: Where;

  constructor(
    where: Where,
    private readonly look: PathLook,
  ) {
    this.where = { root: lexicalPath('/', where.root), cwd: lexicalPath('/', where.cwd) };
  }

  read(text: string): readonly Stage[] {
    if (Buffer.byteLength(text) > MAX_TOTAL_BYTES) throw limit('limit.total-size', RULES['limit.total-size'].says);
    const fault = lineFault(text);
    if (fault !== null) throw new Refusal('COMMAND_INVALID', fault, RULES[fault].says.replace('{}', 'The command'));
    if (text.startsWith('#!')) throw syntax('it begins like a script');
    const script = parse(text);
    const [error] = script.errors ?? [];
    if (error) throw syntax(error.message);
    if (hasBareLineBreak(text, script.commands)) throw syntax('a line break stands between commands; join them with && or ;');
    script.commands.forEach((statement, at) => this.#statement(statement, at === 0 ? 'first' : 'then'));
    if (this.#stages.length === 0) throw syntax('it runs nothing');
    if (!coversAll(text, script.commands)) throw syntax('a part of it stands where no word or join belongs');
    const hit = limitHit(this.#stages);
    if (hit) throw limit(hit.rule, hit.reason);
    return this.#stages;
  }

  #statement({ command, background }: Statement, join: StageJoin): void {
    if (background === true) throw syntax('`&` would leave something running');
    if (command.type !== 'AndOr') return this.#pipeline(command, join, false);
    command.commands.forEach((part, at) => {
      const joined = at === 0 ? join : command.operators[at - 1] === '&&' ? 'and' : 'or';
      this.#pipeline(part, joined, command.operators[at] === '&&' && at === 0 && !command.operators.includes('||'));
    });
  }

  #pipeline(node: Statement['command'], join: StageJoin, beforeAnd: boolean): void {
    if (node.type === 'Command') return this.#command(node, join, false, beforeAnd);
    if (node.type !== 'Pipeline') throw syntax(`${describe(node.type)} is not a plain command`);
    if (node.prefixes.length > 0) throw syntax('`!` and `time` in front of a command are not supported');
    node.commands.forEach((part, at) => {
      if (part.type !== 'Command') throw syntax(`${describe(part.type)} is not a plain command`);
      this.#command(part, at === 0 ? join : 'pipe', node.operators[at] === '|&', false);
    });
  }

  #command(node: Command, join: StageJoin, stderrToPipe: boolean, beforeAnd: boolean): void {
    if (!node.name) throw syntax('a variable or a redirection alone runs nothing');
    const assignments = node.prefix.filter((part) => part.type === 'Assignment').map((part) => this.#assignment(part));
    const name = this.#plain(node.name);
    const words = node.suffix.flatMap((part) =>
      part.type === 'Word' ? this.#expanded(part) : part.type === 'Assignment' ? this.#argument(part) : [],
    );
    const { redirects, stderrToStdout } = this.#redirects([...node.prefix, ...node.suffix].filter(isRedirection));
    if (name === 'command' && words[0] === '-v' && words.length === 2 && assignments.length === 0)
      return this.#push(join, ['which', words[1] ?? ''], redirects, stderrToStdout || stderrToPipe);
    if (name === 'cd' && beforeAnd && redirects.length === 0 && assignments.length === 0) return this.#enter(words);
    if (Object.hasOwn(BUILTINS, name)) throw syntax(`\`${name}\` is part of a shell: ${BUILTINS[name] ?? ''}`);
    if (stderrToPipe && (stderrToStdout || redirects.some(({ stream }) => stream !== 'stdin'))) throw syntax(TWICE);
    const prefix =
      assignments.length > 0 || this.#folder !== null
        ? ['env', ...(this.#folder === null ? [] : [`--chdir=${this.#folder}`]), ...assignments]
        : [];
    this.#push(join, [...prefix, name, ...words], redirects, stderrToStdout || stderrToPipe);
  }

  #push(join: StageJoin, argv: readonly string[], redirects: readonly Redirect[], stderrToStdout: boolean): void {
    const first = this.#stages.length === 0;
    this.#stages.push({ join: first ? 'first' : join, argv, redirects, ...(stderrToStdout ? { stderrToStdout } : {}) });
  }

  /** `cd folder && …` at the very beginning chooses the folder of all that follows. */
  #enter(words: readonly string[]): void {
    const [folder = ''] = words;
    if (this.#stages.length > 0 || words.length !== 1 || folder === '' || folder.startsWith('-')) {
      throw syntax('`cd` is only understood once, in front, with one folder');
    }
    const resolved = resolvePath(this.look, this.where.cwd, folder, true);
    if (!resolved || !isInside(this.where.root, resolved.real)) {
      throw new Refusal('COMMAND_INVALID', 'path.outside', RULES['path.outside'].says.replace('{}', shown(folder)));
    }
    if (resolved.fact?.kind !== 'directory') throw syntax(`${shown(folder)} is not a folder`);
    this.#folder = resolved.real === this.where.cwd ? null : resolved.real;
  }

  get #here(): Where {
    return { ...this.where, cwd: this.#folder ?? this.where.cwd };
  }

  #assignment({ name, value, append, index }: Assignment): string {
    if (append === true || index !== undefined || value.type !== 'Word') throw syntax(`the assignment to ${name} is not a plain one`);
    return `${name}=${this.#plain(value)}`;
  }

  /** A word such as `a=b` behind the command is an ordinary word. */
  #argument(node: Assignment): readonly string[] {
    const { name, value, append, index } = node;
    if (append === true || index !== undefined || value.type !== 'Word') throw syntax(`the word ${shown(node.text)} is not a plain one`);
    if (/[*?[]/.test(value.text)) throw syntax(`the word ${shown(node.text)} holds a pattern`);
    return [`${name}=${this.#plain(value)}`];
  }

  #plain(word: Word): string {
    const plain = plainWord(word);
    if (!plain.ok) throw syntax(`it uses ${plain.why}`);
    if (plain.pattern) throw syntax(`${shown(word.text)} is a pattern where a plain word belongs`);
    return plain.text;
  }

  #expanded(word: Word): readonly string[] {
    const plain = plainWord(word);
    if (!plain.ok) throw syntax(`it uses ${plain.why}`);
    const expanded = plain.pattern ? expandGlob(plain.pattern, this.#here, this.look, this.#names) : null;
    if (expanded && !expanded.ok)
      throw expanded.limit ? limit('limit.words', `It uses ${expanded.why}.`) : syntax(`it uses ${expanded.why}`);
    const words = expanded ? expanded.words : [plain.text];
    if ((this.#words += words.length) > MAX_WORDS) throw limit('limit.words', RULES['limit.words'].says);
    return words;
  }

  #redirects(nodes: readonly Redirection[]): { redirects: readonly Redirect[]; stderrToStdout: boolean } {
    const redirects: Redirect[] = [];
    let stderrToStdout = false;
    for (const node of nodes) {
      if (node.type !== 'Redirect') throw syntax('a here-document or here-string is not supported');
      const { operator, descriptor, target } = node;
      if (descriptor && descriptor.type !== 'FileDescriptor') throw syntax('a redirection names a variable');
      if (!target) throw syntax('a redirection leads nowhere');
      const text = this.#plain(target);
      const number = descriptor?.value;
      if ((operator === '>&' && number === 2 && text === '1') || (operator === '>&' && number === 1 && text === '1')) {
        if (number === 1) throw syntax('a redirection of standard output to itself');
        if (stderrToStdout || redirects.some(({ stream }) => stream === 'stderr' || stream === 'both')) throw syntax(TWICE);
        // `> file 2>&1` sends both to the file; alone it joins the streams.
        const out = redirects.findIndex(({ stream }) => stream === 'stdout');
        const into = redirects[out];
        if (into) redirects[out] = { ...into, stream: 'both' };
        else stderrToStdout = true;
        continue;
      }
      const stream = streamOf(operator, number, text);
      if (stream === null) throw syntax(`the redirection ${operator} is not one to or from a file`);
      const taken = redirects.some((known) => known.stream === stream || (stream !== 'stdin' && known.stream === 'both'));
      if (taken || (stderrToStdout && stream !== 'stdin') || (stream === 'both' && redirects.some((known) => known.stream !== 'stdin'))) {
        throw syntax(TWICE);
      }
      if (text === '') throw syntax('a redirection leads nowhere');
      const path = fileOf(this.#here.cwd, text, this.look);
      redirects.push({ stream, path, append: operator.endsWith('>>') });
    }
    return { redirects, stderrToStdout };
  }
}

/** The file that a redirection opens, links resolved, so that what is shown is what is opened. */
function fileOf(cwd: string, text: string, look: PathLook): string {
  if (text.startsWith('~')) throw new Refusal('COMMAND_INVALID', 'path.home', RULES['path.home'].says.replace('{}', shown(text)));
  const plain = lexicalPath(cwd, text);
  // Windows into devices and processes are judged by their own name, not by where they happen to lead for this server.
  if (/^\/(dev|proc|sys)(\/|$)/.test(plain)) return plain;
  return resolvePath(look, cwd, text, true)?.real ?? plain;
}

function streamOf(operator: string, number: number | undefined, text: string): Redirect['stream'] | null {
  const isDescriptor = /^(\d+|-|\d+-)$/.test(text);
  switch (operator) {
    case '<':
      return number === undefined || number === 0 ? 'stdin' : null;
    case '>':
    case '>>':
    case '>|':
      return number === undefined || number === 1 ? 'stdout' : number === 2 ? 'stderr' : null;
    case '&>':
    case '&>>':
      return 'both';
    case '>&':
      return number === undefined && !isDescriptor ? 'both' : null;
    default:
      return null;
  }
}

function isRedirection(part: { readonly type: string }): part is Redirection {
  return part.type === 'Redirect' || part.type === 'HereString' || part.type === 'HereDoc';
}

/** A line break that separates statements, which a reader of one line would not see. */
function hasBareLineBreak(text: string, statements: readonly Statement[]): boolean {
  return statements.some(({ pos }, at) => at > 0 && text.slice(statements[at - 1]?.end ?? 0, pos).includes('\n'));
}

function describe(type: string): string {
  return type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

function syntax(why: string): Refusal {
  return new Refusal(
    'COMMAND_INVALID',
    'command.syntax',
    RULES['command.syntax'].says.replace('{}', () => why),
  );
}

function limit(rule: RuleId, message: string): Refusal {
  return new Refusal('COMMAND_LIMIT', rule, message);
}
