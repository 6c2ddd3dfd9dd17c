#!/usr/bin/env node
import 'reflect-metadata';

/** One line of help per command; each command's module is loaded only when it is asked for. */
interface Command {
  readonly usage: string;
  readonly help: string;
  readonly run: (args: readonly string[]) => Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    usage: 'serve',
    help: 'Start the server: console, REST and MCP over HTTP.',
    run: async () => (await import('./commands/serve.js')).serve(),
  },
  stdio: {
    usage: 'stdio',
    help: 'Speak MCP on standard input and output, for a local client.',
    run: async () => (await import('./commands/stdio.js')).stdio(),
  },
  doctor: {
    usage: 'doctor',
    help: 'Check this machine and this data folder; each line passes or says how to mend it.',
    run: async () => (await import('./commands/doctor.js')).doctor(),
  },
  token: {
    usage: 'token create NAME [--scopes a,b] [--days N] | token list | token revoke ID',
    help: 'Make, list or revoke tokens for agents and scripts. A new token is shown once.',
    run: async (args) => (await import('./commands/token.js')).token(args),
  },
  person: {
    usage: 'person list | person password NAME',
    help: 'List people, or set the password of one who lost it (read from standard input).',
    run: async (args) => (await import('./commands/person.js')).person(args),
  },
  export: {
    usage: 'export FILE [--format bundle|intoto|csv] [--from TIME] [--to TIME] [--share] …',
    help: 'Write receipts as a file that others can check without this server.',
    run: async (args) => (await import('./commands/export.js')).exportReceipts(args),
  },
  verify: {
    usage: 'verify FILE [--trust FINGERPRINT|KEY|KEYS.json] [--hmac-key KEY] [--json]',
    help: 'Check a receipt or a bundle offline.',
    run: async (args) => (await import('./commands/verify.js')).verify(args),
  },
  keys: {
    usage: 'keys list | keys rotate [ed25519|hmac] | keys revoke ID --reason TEXT',
    help: 'Change the keys that sign receipts; each change is a signed record in the ledger.',
    run: async (args) => (await import('./commands/keys.js')).keys(args),
  },
  policy: {
    usage: 'policy check FILE.jsonl [--policy FILE.yaml] | policy explain [--mode MODE] [--workspace DIR] [--policy FILE.yaml] -- COMMAND…',
    help: 'Decide commands without a server.',
    run: async (args) => (await import('./commands/policy.js')).policy(args),
  },
  backup: {
    usage: 'backup FILE',
    help: 'Write all data of this moment into one file, while the server goes on. Secrets in it stay sealed.',
    run: async (args) => (await import('./commands/backup.js')).backup(args),
  },
  restore: {
    usage: 'restore FILE',
    help: 'Bring a backup into an empty data folder or database, and verify the whole ledger.',
    run: async (args) => (await import('./commands/restore.js')).restore(args),
  },
  version: {
    usage: 'version',
    help: 'Print the version.',
    run: async () => (await import('./commands/version.js')).version(),
  },
};

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS[name === '--version' ? 'version' : name];
  if (command) return command.run(args);
  process.stderr.write(`Unknown command ${JSON.stringify(name)}.\n\n${help()}`);
  return 2;
}

function help(): string {
  const rows = Object.values(COMMANDS).map(({ usage, help: text }) => `  countersign ${usage}\n      ${text}`);
  return `Countersign: mission control for AI agents.\n\n${rows.join('\n')}\n`;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
