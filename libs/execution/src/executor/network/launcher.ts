import { spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

/**
 * Runs inside the sandbox, contained like the program and trusted no more. In a network of its own, where nothing but the loopback
 * exists, it passes connections to a port there on to the socket of the proxy outside. A terminal it makes that of its session. Then
 * it starts the program, and ends as it ends.
 */
const [, , socket = '', port = '', terminal = '', argv0 = '', file = '', ...args] = process.argv;

// the program gets its own signals; this process ends with it and not before
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => undefined);

switch (terminal) {
  case 'new': {
    closeInherited();
    const again = [process.argv[1] ?? '', socket, port, 'own', argv0, file, ...args];
    start(process.execPath, again, { detached: true }); // the first process of a session of its own
    break;
  }
  case 'own':
    openSync('/proc/self/fd/0', 'r+'); // the first one that a session opens becomes its own, with what Ctrl-C and a new size do
    startProgram();
    break;
  default:
    startProgram();
}

function startProgram(): void {
  if (socket === '') start(file, args, { argv0 });
  else forward();
}

/** The holder of the terminal cannot keep its own end from being passed on; Node.js itself opens nothing that is. */
function closeInherited(): void {
  const CLOSE_ON_EXEC = 0o2000000;
  for (const name of readdirSync('/proc/self/fd')) {
    if (Number(name) <= 2) continue;
    try {
      const [, flags = ''] = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1')) ?? [];
      if ((parseInt(flags, 8) & CLOSE_ON_EXEC) === 0) closeSync(Number(name));
    } catch {
      // it was the handle of the listing itself
    }
  }
}

function forward(): void {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const outside = connect({ path: socket, allowHalfOpen: true });
    client.pipe(outside);
    outside.pipe(client);
    client.on('error', () => outside.destroy());
    outside.on('error', () => client.destroy());
  });
  server.listen(Number(port), '127.0.0.1', () => start(file, args, { argv0 }));
}

function start(program: string, words: readonly string[], options: SpawnOptions): void {
  const child = spawn(program, words, { ...options, stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(126);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
}
