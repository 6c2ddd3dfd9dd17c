import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants } from 'node:os';

/**
 * Runs inside the sandbox, in its own network where nothing but the loopback exists: passes connections to a port there on to the
 * socket of the proxy outside, starts the program, and ends as it ends. It is contained like the program and trusted no more.
 */
const [, , socket = '', port = '', argv0 = '', file = '', ...args] = process.argv;

const server = createServer({ allowHalfOpen: true }, (client) => {
  const outside = connect({ path: socket, allowHalfOpen: true });
  client.pipe(outside);
  outside.pipe(client);
  client.on('error', () => outside.destroy());
  outside.on('error', () => client.destroy());
});

// the program gets its own signals; this process ends with it and not before
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(file, args, { argv0, stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(126);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
});
