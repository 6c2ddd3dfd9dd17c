import type { Analysis } from './analysis.js';

const PLAIN = /^[\w.,:@+=-]{0,200}$/;
const NUMBER = /^\d{1,9}$/;
const SWITCH = /^(0|1|true|false|yes|no|on|off|)$/i;
const LOCALE = /^[\w.@-]{0,64}$/;
const ZONE = /^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/;
const NO_PAGER = /^(cat|)$/;
const NO_EDITOR = /^(true|:|)$/;

/** What a plan may set, and what the value may look like. All else that a program reads from its environment is ours to say. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  CI: PLAIN,
  COLUMNS: NUMBER,
  LINES: NUMBER,
  TERM: /^(dumb|xterm|xterm-256color|ansi|vt100)$/,
  NO_COLOR: PLAIN,
  FORCE_COLOR: PLAIN,
  CLICOLOR: SWITCH,
  CLICOLOR_FORCE: SWITCH,
  LANG: LOCALE,
  LANGUAGE: LOCALE,
  LC_ALL: LOCALE,
  LC_COLLATE: LOCALE,
  LC_CTYPE: LOCALE,
  LC_MESSAGES: LOCALE,
  LC_NUMERIC: LOCALE,
  LC_TIME: LOCALE,
  TZ: ZONE,
  NODE_ENV: PLAIN,
  BABEL_ENV: PLAIN,
  NODE_NO_WARNINGS: SWITCH,
  PORT: NUMBER,
  PYTHONDONTWRITEBYTECODE: SWITCH,
  PYTHONHASHSEED: PLAIN,
  PYTHONUNBUFFERED: SWITCH,
  PYTHONIOENCODING: PLAIN,
  PYTHONUTF8: SWITCH,
  RUST_BACKTRACE: /^(0|1|full)$/,
  CARGO_TERM_COLOR: /^(always|never|auto)$/,
  GOOS: PLAIN,
  GOARCH: PLAIN,
  CGO_ENABLED: SWITCH,
  GOTOOLCHAIN: /^local$/,
  HUSKY: /^0$/,
  GIT_TERMINAL_PROMPT: /^0$/,
  GIT_OPTIONAL_LOCKS: /^0$/,
  GIT_PAGER: NO_PAGER,
  PAGER: NO_PAGER,
  MANPAGER: NO_PAGER,
  GIT_EDITOR: NO_EDITOR,
  EDITOR: NO_EDITOR,
  VISUAL: NO_EDITOR,
};

/** Whether a plan may set this variable to this value. */
export function mayBeSet(name: string, value: string): boolean {
  return Object.hasOwn(ALLOWED, name) && ALLOWED[name]?.test(value) === true;
}

/** Names that a plan may not set, or whose value is more than plain text; in the order given. */
export function refusedEnv(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => !mayBeSet(name, value))
    .map(([name]) => name);
}

export function judgeEnv(analysis: Analysis, name: string, value: string): void {
  analysis.touch({ kind: 'env', target: name, role: 'set', note: mayBeSet(name, value) ? 'allowed' : 'refused' });
  analysis.fire(mayBeSet(name, value) ? 'env.set' : 'env.not-allowed', name);
}
