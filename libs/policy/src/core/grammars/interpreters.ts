/** Programs that take program text from an operand or from their standard input. */
export const TAKES_CODE: ReadonlySet<string> = new Set(
  `sh bash dash zsh ksh mksh ash fish csh tcsh rbash python python2 python3 node nodejs deno bun perl ruby php lua luajit tclsh Rscript osascript
   pwsh powershell groovy jshell ts-node tsx env awk gawk mawk sed eval source`.split(/\s+/),
);

/** Programs that take a command line as text. */
export const SHELL_NAMES: ReadonlySet<string> = new Set('sh bash dash zsh ksh mksh ash rbash fish'.split(' '));
