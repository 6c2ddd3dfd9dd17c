import type { Grammar, ToolUse } from '../grammar/tool.js';
import { commandsInside, type InnerCommand } from '../command/inside.js';
import { parseCommand } from '../command/parse.js';
import { judgeEnv } from '../env.js';
import { FORBIDDEN_NAMES } from './forbidden.js';

const LONG_FLAGS = new Set(
  `--debugger --dump-po-strings --dump-strings --login --noediting --noprofile --norc --posix --pretty-print --restricted --verbose --wordexp
   --no-rcs --no-globalrcs --private --help --version`.split(/\s+/),
);
const LETTERS = /^[a-zA-Z]+$/;

interface ShellWords {
  readonly code: boolean;
  readonly stdin: boolean;
  /** Index of the first operand among the texts. */
  readonly first: number;
}

/** Shells read their options in a way of their own: `-o` and `-O` take the next word, also from within a cluster, and `+x` counts. */
function readShellWords(use: ToolUse): ShellWords {
  const texts = use.texts();
  let code = false;
  let stdin = false;
  let at = 0;
  for (; at < texts.length; at += 1) {
    const text = texts[at] ?? '';
    if (text === '--' || text === '-') {
      at += 1;
      break;
    }
    if (text.startsWith('--')) {
      if (text === '--rcfile' || text === '--init-file') use.path(texts[(at += 1)] ?? '', 'execute');
      else if (!LONG_FLAGS.has(text)) use.fire('option.unknown', `${use.name} ${text}`);
      continue;
    }
    if (!/^[-+]./.test(text)) break;
    const letters = text.slice(1);
    if (!LETTERS.test(letters)) use.fire('option.unknown', `${use.name} ${text}`);
    if (letters.includes('i')) use.fire('interactive.tool', `${use.name} ${text}`);
    code ||= text.startsWith('-') && letters.includes('c');
    stdin ||= letters.includes('s');
    at += Array.from(letters).filter((letter) => letter === 'o' || letter === 'O').length;
  }
  return { code, stdin, first: at };
}

/** A shell gets program text, a script, or reads its standard input. */
function studyShell(use: ToolUse): void {
  const { code, stdin, first } = readShellWords(use);
  const operand = use.operands[first];
  if (code) {
    use.fire('inline.code');
    if (!operand) return use.fire('wrapper.empty');
    use.message(operand.at);
    return judgeShellText(use, operand.text);
  }
  if (!operand && use.operands.length > 0 && use.texts().every((text) => text === '--help' || text === '--version')) return;
  if (operand && !stdin) return void use.path(operand.text, 'execute');
  use.fire('inline.stdin');
  use.analysis.takesCode(use.name);
}

const COMMAND_START =
  '(?:^|[;&|(){}`\\n]|\\$\\(|\\b(?:then|do|else|elif|exec|eval|command|builtin|time|env|xargs|nohup|if|while|until)\\s)\\s*';
const HARD = new RegExp(
  `${COMMAND_START}(?:[\\w./-]*/)?(${[...FORBIDDEN_NAMES].map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\w.-])`,
);
const DOWNLOAD_TO_SHELL =
  /\b(curl|wget|fetch|nc|ncat|socat)\b[\s\S]*\|\s*(?:[\w./-]*\/)?(ba|z|da|k|a|fi)?sh\b|\b(?:eval|source|sh|bash|\.)\s+["']?(?:\$\(|<\(|`)\s*(curl|wget)\b/;

/** Decides the commands inside a text for a shell; what is more than plain commands is at best left to a person. */
export function judgeShellText(use: ToolUse, text: string): void {
  const { analysis, context } = use;
  const parsed = parseCommand(text, context, context.look);
  if (!parsed.ok) {
    for (const command of commandsInside(text)) judgeInside(use, command);
    analysis.say('shell.compound', `The text given to ${use.name} is more than plain commands: ${parsed.message}`);
    const line = text
      .split('\n')
      .map((part) => part.trim())
      .join(';')
      .replaceAll(/[ \t]+/g, ' ');
    const hard = HARD.exec(line)?.[1];
    if (hard !== undefined) use.innerWords([hard]);
    if (DOWNLOAD_TO_SHELL.test(line)) use.fire('download.run', use.name);
    return;
  }
  const before = analysis.releaseCode();
  let fromStage: string | null = null;
  for (const [at, stage] of parsed.value.entries()) {
    analysis.releaseCode();
    const downloads = stage.join === 'pipe' && analysis.network;
    use.innerWords(stage.argv);
    for (const { stream, path } of stage.redirects) use.path(path, stream === 'stdin' ? 'read' : 'write');
    const taken = analysis.releaseCode();
    if (downloads && taken !== null) use.fire('download.run', taken);
    // Only the first command reads what the stage itself is given.
    if (at === 0) fromStage = taken;
  }
  const code = before ?? fromStage;
  if (code !== null) analysis.takesCode(code);
}

/** Words of a shell that only shape what goes on in it. */
const SHAPING = new Set(
  `: [ [[ test true false echo printf read set unset shift export local declare typeset readonly return exit break continue wait umask ulimit
   shopt alias unalias getopts hash let type pwd dirs popd jobs mapfile readarray times help history complete compgen`.split(/\s+/),
);
/** Variables through which a program is changed. */
const CHANGES_PROGRAMS =
  /^(LD_|DYLD_|GIT_|BASH_|PYTHON|PERL5|RUBY|NODE_|npm_config|NPM_CONFIG|(PATH|HOME|ENV|IFS|SHELLOPTS|PROMPT_COMMAND)$)/;

/** One command inside a text that is more than plain commands. */
function judgeInside(use: ToolUse, { argv, env, reads, writes }: InnerCommand): void {
  for (const path of reads) use.path(path, 'read');
  for (const path of writes) use.path(path, 'write');
  for (const [name, value] of env) if (CHANGES_PROGRAMS.test(name)) judgeEnv(use.analysis, name, value);
  const [program = '', ...rest] = argv;
  const first = rest.findIndex((word) => !word.startsWith('-'));
  if (program === '' || SHAPING.has(program)) return;
  if (program === 'cd' || program === 'pushd') return void use.path(rest[first] ?? '.', 'folder');
  if (program === '.' || program === 'source') return void use.path(rest[0] ?? '', 'execute');
  if (program === 'eval' || program === 'trap') return judgeNested(use, program === 'eval' ? rest.join(' ') : (rest[0] ?? ''));
  if (program === 'exec' || program === 'command' || program === 'builtin')
    return first < 0 ? undefined : use.innerWords(rest.slice(first));
  use.innerWords(argv);
}

function judgeNested(use: ToolUse, text: string): void {
  for (const command of commandsInside(text).filter(({ argv: [program] }) => program !== 'eval' && program !== 'trap'))
    judgeInside(use, command);
}

const shell: Grammar = { style: 'none', operands: 'study', study: studyShell };

/** Command interpreters. */
export const SHELLS: Readonly<Record<string, Grammar>> = {
  'sh bash dash zsh ksh mksh ash rbash yash': shell,
  'fish csh tcsh pwsh powershell elvish nu xonsh': {
    style: 'none',
    operands: 'study',
    rules: ['inline.code'],
    study: (use) => {
      use.analysis.takesCode(use.name);
      const flag = use.texts().findIndex((text) => /^-[a-z]*c$/i.test(text) || /^-+command$/i.test(text));
      const code = flag < 0 ? undefined : use.operands[flag + 1];
      if (code) {
        use.message(code.at);
        judgeShellText(use, code.text);
      }
    },
  },
};
