import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { LocalCallers, Logins, People } from '#auth';
import { withApp } from '../with-app.js';

const USAGE = 'Usage: countersign person list | person password NAME\n';

/** People from the command line: the way back in when a password is lost. */
export async function person(args: readonly string[]): Promise<number> {
  const [verb, name] = args;
  if (verb === 'list' && args.length === 1) return list();
  if (verb === 'password' && name !== undefined && args.length === 2)
    return setPassword(name, await readPassword(`New password for ${name}: `));
  process.stderr.write(USAGE);
  return 2;
}

function list(): Promise<number> {
  return withApp(async (app) => {
    const people = await app.get(People).list(app.get(LocalCallers).commandLine());
    const rows = people.map(({ name, roles, disabledAt }) => `${name}  ${roles.join(', ')}${disabledAt === null ? '' : '  disabled'}\n`);
    process.stdout.write(
      rows.length === 0 ? 'Nobody yet. Start the server; it prints a sign-in link for the first owner.\n' : rows.join(''),
    );
    return 0;
  });
}

function setPassword(name: string, password: string): Promise<number> {
  return withApp(async (app) => {
    const by = app.get(LocalCallers).commandLine();
    const found = (await app.get(People).list(by)).find((each) => each.name === name);
    if (!found) throw new Error(`Nobody is called ${name}; countersign person list shows the names`);
    await app.get(Logins).reset(by, found.id, password);
    process.stdout.write(`${name} has a new password; open sessions of ${name} have ended.\n`);
    return 0;
  });
}

/** One line of standard input; what is typed at a terminal is not shown. */
async function readPassword(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: process.stdin.isTTY });
  const password = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return password;
}
