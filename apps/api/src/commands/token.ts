import { parseArgs } from 'node:util';
import { AGENT_SCOPES, SCOPES, type PrincipalId, type Scope, type TokenInfo } from '#contracts';
import { LocalCallers, Tokens } from '#auth';
import { withApp } from '../with-app.js';

const DAY_MS = 86_400_000;
const USAGE = 'Usage: countersign token create NAME [--scopes a,b] [--days N] | token list | token revoke ID\n';

/** Tokens from the command line: whoever can read the data folder may make them. */
export async function token(args: readonly string[]): Promise<number> {
  const [verb, ...rest] = args;
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: { scopes: { type: 'string' }, days: { type: 'string' } },
  });
  const [subject] = positionals;
  if (verb === 'list') return list();
  if (verb === 'create' && subject !== undefined) return create(subject, toScopes(values.scopes), toDays(values.days));
  if (verb === 'revoke' && subject !== undefined) return revoke(subject as PrincipalId);
  process.stderr.write(USAGE);
  return 2;
}

function create(name: string, scopes: readonly Scope[], days: number | null): Promise<number> {
  return withApp(async (app) => {
    const expiresAt = days === null ? null : Date.now() + days * DAY_MS;
    const created = await app.get(Tokens).create({ by: app.get(LocalCallers).commandLine(), name, personId: null, scopes, expiresAt });
    process.stdout.write(
      `Token ${created.token.id} "${created.token.name}" with ${created.token.scopes.join(', ')}\n\n${created.secret}\n\nIt is shown this once.\n`,
    );
    return 0;
  });
}

function list(): Promise<number> {
  return withApp(async (app) => {
    const tokens = await app.get(Tokens).list(app.get(LocalCallers).commandLine());
    process.stdout.write(tokens.length === 0 ? 'No tokens yet.\n' : tokens.map(row).join(''));
    return 0;
  });
}

function revoke(id: PrincipalId): Promise<number> {
  return withApp(async (app) => {
    await app.get(Tokens).revoke(app.get(LocalCallers).commandLine(), id);
    process.stdout.write(`Token ${id} is revoked.\n`);
    return 0;
  });
}

function row({ id, name, scopes, lastUsedAt, expiresAt, revokedAt }: TokenInfo): string {
  const state = revokedAt !== null ? `revoked ${day(revokedAt)}` : expiresAt !== null ? `expires ${day(expiresAt)}` : 'no expiry';
  return `${id}  ${name}  ${scopes.join(',')}  ${state}  ${lastUsedAt === null ? 'never used' : `last used ${day(lastUsedAt)}`}\n`;
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function toScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return AGENT_SCOPES;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`Unknown scope ${unknown.join(', ')}. Known: ${SCOPES.join(', ')}`);
  return names as Scope[]; // checked above
}

function toDays(text: string | undefined): number | null {
  if (text === undefined) return null;
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > 3_650) throw new Error('--days takes a whole number from 1 to 3650');
  return days;
}
