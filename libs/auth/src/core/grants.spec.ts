import fc from 'fast-check';
import {
  CHANNELS,
  hasScope,
  PRINCIPAL_KINDS,
  ROLES,
  SCOPES,
  TOOL_FAMILIES,
  type Principal,
  type PrincipalId,
  type Role,
  type Scope,
  type WorkspaceId,
} from '#contracts';
import { checkAdministrator, checkGrant, checkTokenKeeper } from './grants.js';
import { reachOfPerson, reachOfToken, scopesOf } from './roles.js';

const ME = '01920000-0000-7000-8000-000000000001' as PrincipalId;
const OTHER = '01920000-0000-7000-8000-000000000002' as PrincipalId;

function caller(part: Partial<Principal>): Principal {
  return { id: ME, kind: 'person', name: 'Ada', roles: [], scopes: [], channel: 'console', expiresAt: 1, ...part };
}
const admin = caller({ roles: ['admin'], scopes: SCOPES });
const operator = caller({ roles: ['operator'], scopes: scopesOf(['operator']) });
const agent = caller({ kind: 'token', channel: 'mcp', personId: OTHER, scopes: ['terminal:plan', 'terminal:execute', 'receipts:read'] });
const adminToken = caller({ kind: 'token', channel: 'rest', personId: OTHER, scopes: ['admin', 'terminal:plan'] });
const nobodysAdminToken = caller({ kind: 'token', channel: 'rest', scopes: SCOPES });
const stdio = caller({ kind: 'local', channel: 'stdio', scopes: ['terminal:plan'] });
const commandLine = caller({ kind: 'local', channel: 'cli', scopes: SCOPES });

describe('who administers', () => {
  it.each([
    ['an admin at the console', admin, true],
    ['an admin token with a person behind it', adminToken, true],
    ['the command line', commandLine, true],
    ['an operator', operator, false],
    ['an agent', agent, false],
    ['an admin token of nobody', nobodysAdminToken, false],
    ['the parent process of STDIO', stdio, false],
    ['STDIO, even with every scope', { ...stdio, scopes: SCOPES }, false],
  ] as const)('%s: %s', (_who, by, expected) => {
    expect(checkAdministrator(by).ok).toBe(expected);
  });
});

describe('who keeps tokens', () => {
  it('lets people keep their own, administrators all, and agents none', () => {
    expect(checkTokenKeeper(operator)).toEqual({ ok: true, value: ME });
    expect(checkTokenKeeper(admin)).toEqual({ ok: true, value: null });
    expect([agent, stdio, nobodysAdminToken].map((by) => checkTokenKeeper(by).ok)).toEqual([false, false, false]);
  });
});

describe('which tokens may be made', () => {
  it.each([
    ['an operator, an agent token', operator, ME, ['terminal:plan', 'terminal:execute'], 'ok'],
    ['an operator, a token that decides', operator, ME, ['approvals:decide'], 'SCOPE_MISSING'],
    ['an approver, a token that decides', caller({ scopes: scopesOf(['approver']) }), ME, ['approvals:decide'], 'SCOPE_MISSING'],
    ['a viewer, more than they have', caller({ scopes: scopesOf(['viewer']) }), ME, ['terminal:plan'], 'SCOPE_MISSING'],
    ['an operator, for somebody else', operator, OTHER, ['terminal:plan'], 'SCOPE_MISSING'],
    ['an operator, for nobody', operator, null, ['terminal:plan'], 'SCOPE_MISSING'],
    ['an admin, a token that decides', admin, ME, ['approvals:decide', 'admin'], 'ok'],
    ['an admin, for somebody else', admin, OTHER, ['terminal:plan'], 'SCOPE_MISSING'],
    ['an admin token, what it has', adminToken, OTHER, ['terminal:plan', 'admin'], 'ok'],
    ['an admin token, what it has not', adminToken, OTHER, ['terminal:execute'], 'SCOPE_MISSING'],
    ['an agent, its own scopes', agent, OTHER, ['terminal:plan'], 'SCOPE_MISSING'],
    ['the command line, for nobody', commandLine, null, SCOPES, 'ok'],
    ['an admin, nothing at all', admin, ME, [], 'INPUT_INVALID'],
  ] as const)('%s: %s', (_case, by, personId, scopes, expected) => {
    const result = checkGrant(by, { personId, scopes });
    expect(result.ok ? 'ok' : result.code).toBe(expected);
  });

  const anyScopes = fc.subarray([...SCOPES]);
  const fewScopes = fc.uniqueArray(fc.constantFrom(...SCOPES), { maxLength: 2 });
  const anyCaller = fc.record({
    kind: fc.constantFrom(...PRINCIPAL_KINDS),
    channel: fc.constantFrom(...CHANNELS),
    scopes: anyScopes,
    personId: fc.constantFrom(undefined, OTHER),
  });

  it('never gives a scope that the caller does not have, and never lets an agent without the admin scope make a token', () => {
    let made = 0;
    fc.assert(
      fc.property(anyCaller, fewScopes, fc.constantFrom(null, ME, OTHER), ({ personId, ...rest }, scopes, wantedPerson) => {
        const by = caller({ ...rest, ...(personId ? { personId } : {}) });
        const result = checkGrant(by, { personId: wantedPerson, scopes });
        if (!result.ok) return;
        made += 1;
        const rules = (scope: Scope): boolean => scope === 'approvals:decide' || scope === 'admin';
        expect(result.value.filter((scope) => !by.scopes.includes(scope))).toEqual([]);
        if (result.value.some(rules) || by.kind === 'token') expect(by.scopes).toContain('admin');
        if (by.kind === 'local') expect(by.channel).toBe('cli');
      }),
      { numRuns: 3_000 },
    );
    expect(made).toBeGreaterThan(100);
  });
});

const [HERE, THERE] = ['here', 'there'] as unknown as readonly [WorkspaceId, WorkspaceId];
const reach = (scopes: readonly Scope[], roles: readonly Role[] | null) =>
  reachOfToken({ scopes, workspaces: null, toolFamilies: null }, roles && { roles, workspaceRoles: {} });

describe('scopes of roles', () => {
  it('gives each role what the design says, and no role but approver and admin decides', () => {
    expect(scopesOf(['viewer'])).toEqual(['relay:read', 'connector:read', 'receipts:read']);
    expect(scopesOf(['operator'])).toEqual([
      'terminal:plan',
      'terminal:execute',
      'relay:read',
      'relay:drive',
      'connector:read',
      'connector:use',
      'receipts:read',
    ]);
    expect(scopesOf(['approver'])).toEqual(['approvals:decide', 'relay:read', 'connector:read', 'receipts:read']);
    expect(scopesOf(['admin'])).toEqual(SCOPES);
    expect(ROLES.filter((role) => scopesOf([role]).includes('approvals:decide'))).toEqual(['approver', 'admin']);
    expect(scopesOf([])).toEqual([]);
  });

  it('never lets a token reach further than the person behind it', () => {
    fc.assert(
      fc.property(fc.subarray([...SCOPES]), fc.subarray([...ROLES]), (granted, roles) => {
        const now = reach(granted, roles).scopes;
        expect(now.every((scope) => granted.includes(scope) && scopesOf(roles).includes(scope))).toBe(true);
      }),
    );
    expect(reach(['admin', 'terminal:plan'], ['operator']).scopes).toEqual(['terminal:plan']);
    expect(reach(['terminal:plan'], null).scopes).toEqual(['terminal:plan']);
  });

  it('binds a role in a workspace to that workspace', () => {
    const { scopes, workspaceScopes } = reachOfPerson({ roles: [], workspaceRoles: { [HERE]: ['operator'] } });
    expect(scopes).toEqual(['receipts:read']);
    expect(workspaceScopes?.[HERE]).toContain('terminal:execute');
    expect(workspaceScopes?.[THERE]).toBeUndefined();
  });

  it('binds a token to its workspaces and families, below the roles of its person, whatever those are', () => {
    const held = fc.record({ roles: fc.subarray([...ROLES]), here: fc.subarray([...ROLES]) });
    const grant = fc.record({
      scopes: fc.subarray([...SCOPES]),
      workspaces: fc.option(fc.subarray([HERE, THERE], { minLength: 1 })),
      toolFamilies: fc.option(fc.subarray([...TOOL_FAMILIES], { minLength: 1 })),
    });
    fc.assert(
      fc.property(held, grant, ({ roles, here }, token) => {
        const person = { roles, workspaceRoles: here.length === 0 ? {} : { [HERE]: here } };
        const [mine, its] = [reachOfPerson(person), reachOfToken(token, person)];
        for (const place of [null, HERE, THERE]) {
          for (const scope of SCOPES.filter((one) => hasScope(its, one, place))) {
            expect([scope, token.scopes.includes(scope), hasScope(mine, scope, place)]).toEqual([scope, true, true]);
            if (token.workspaces && !token.workspaces.some((id) => id === place)) expect(scope).toBe('receipts:read');
            if (token.toolFamilies?.includes('terminal') === false) expect(scope).not.toMatch(/^terminal:/);
          }
        }
      }),
    );
  });
});
