import type { Effect, ScriptText, StageFacts, ToolCommand, Touch } from '#contracts';
import { shown } from './display.js';
import { RULES, type RuleId } from './rules.js';

export interface Finding {
  readonly rule: RuleId;
  readonly reason: string;
}

/** Rules that say a word was not understood. */
const NOT_UNDERSTOOD: ReadonlySet<string> = new Set<RuleId>([
  'tool.unknown',
  'subcommand.unknown',
  'option.unknown',
  'operand.unexpected',
  'operands.unseen',
  'language.unread',
]);

/** Owner of what is found out about one stage, wrappers and inner commands together. Only ever adds. */
export class Analysis {
  readonly #findings = new Map<string, Finding>();
  readonly #effects = new Set<Effect>();
  readonly #touches = new Map<string, Touch>();
  readonly #hosts = new Set<string>();
  readonly #wrapped: (readonly string[])[] = [];
  readonly #commands: ToolCommand[] = [];
  readonly #walks = new Set<string>();
  readonly #scripts: ScriptText[] = [];
  readonly #programs: { readonly name: string; readonly at: number }[] = [];
  #understood = true;
  /** The words of the stage as they are shown. */
  readonly shown: readonly string[];
  tool = '';
  subcommand: string | null = null;
  #codeTaker: string | null = null;

  constructor(shown: readonly string[]) {
    this.shown = shown;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  has(rule: RuleId): boolean {
    return this.findings.some((finding) => finding.rule === rule);
  }

  get network(): boolean {
    return this.#effects.has('network');
  }

  get writes(): boolean {
    return this.#effects.has('write');
  }

  get runsProjectCode(): boolean {
    return this.#effects.has('execute_project_code');
  }

  /** What takes program text, or words of one, from the standard input of the stage. */
  get codeTaker(): string | null {
    return this.#codeTaker;
  }

  takesCode(name: string): void {
    this.#codeTaker ??= name;
  }

  /** Forgets what takes program text, and says what it was. */
  releaseCode(): string | null {
    const taker = this.#codeTaker;
    this.#codeTaker = null;
    return taker;
  }

  /** Names a rule; `what` are the words that made it fire, shown to people. */
  fire(rule: RuleId, what: string): void {
    this.say(
      rule,
      RULES[rule].says.replace('{}', () => shown(what)),
    );
  }

  /** Names a rule with a sentence of its own. */
  say(rule: RuleId, reason: string): void {
    const { effect } = RULES[rule] as { effect?: Effect };
    if (effect !== undefined) this.#effects.add(effect);
    if (NOT_UNDERSTOOD.has(rule)) this.#understood = false;
    this.#findings.set(`${rule} ${reason}`, { rule, reason });
  }

  effect(effect: Effect): void {
    this.#effects.add(effect);
  }

  touch(touch: Touch): void {
    const key = `${touch.kind} ${touch.role} ${touch.target}`;
    if (!this.#touches.has(key)) this.#touches.set(key, touch);
  }

  targets(role: Touch['role']): readonly Touch[] {
    return [...this.#touches.values()].filter((touch) => touch.role === role);
  }

  host(host: string): void {
    this.#hosts.add(host);
    this.touch({ kind: 'host', target: host, role: 'connect', note: 'network' });
  }

  /** Text of the project that this stage runs, for the person who decides. */
  script(script: ScriptText): void {
    this.#scripts.push(script);
  }

  /** A program was met at this position of the shown words. */
  meets(name: string, at: number): void {
    this.#programs.push({ name, at });
  }

  /** Whether a program stands at this position of the shown words. */
  isProgram(at: number): boolean {
    return this.#programs.some((program) => program.at === at);
  }

  positionsOf(name: string): ReadonlySet<number> {
    return new Set(this.#programs.filter((program) => program.name === name).map(({ at }) => at));
  }

  /** A command begins, the stage's own or a wrapped one. `through` stands for a wrapper that changes nothing about it. */
  enters(tool: string, through: boolean): void {
    this.#commands.push({ tool, subcommand: null, ...(through && { through }) });
  }

  /** The command that began last goes on to a subcommand; a shortened one may mean each of `meant`. */
  descends(command: string, meant: readonly string[]): void {
    this.subcommand = joined(this.subcommand, command);
    const last = this.#commands.pop();
    if (!last) return;
    for (const name of meant.filter((one) => one !== command))
      this.#commands.push({ ...last, subcommand: joined(last.subcommand, name), short: true });
    this.#commands.push({ ...last, subcommand: joined(last.subcommand, command) });
  }

  /** The tool goes through everything below this folder by itself. */
  walks(folder: string): void {
    this.#walks.add(folder);
  }

  wraps(argv: readonly string[]): void {
    this.#wrapped.push(argv);
  }

  facts(): StageFacts {
    return {
      tool: this.tool,
      subcommand: this.subcommand,
      effects: this.#effects.size === 0 && this.#understood ? ['read'] : [...this.#effects],
      touches: [...this.#touches.values()],
      hosts: [...this.#hosts],
      wrapped: this.#wrapped,
      understood: this.#understood,
      commands: this.#commands,
      walks: [...this.#walks],
      ...(this.#scripts.length === 0 ? {} : { scripts: this.#scripts }),
    };
  }
}

function joined(path: string | null, command: string): string {
  return path === null ? command : `${path} ${command}`;
}
