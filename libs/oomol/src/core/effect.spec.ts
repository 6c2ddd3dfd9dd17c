import fc from 'fast-check';
import { ACTION_EFFECTS, EFFECT_SOURCES, type ConnectorCall, type ConnectorId } from '#contracts';
import { decideCall } from './decision.js';
import { effectOf, type ActionFacts } from './effect.js';

const facts = (name: string, more: Partial<ActionFacts> = {}): ActionFacts => ({
  ...{ id: `x.${name}`, name, description: '', requiredScopes: [], providerPermissions: [] },
  ...more,
});

describe('effects of actions', () => {
  it.each([
    ['get_user', {}, 'read', 'verb'],
    ['list_items', {}, 'read', 'verb'],
    ['create_issue', {}, 'write', 'verb'],
    ['send_mail', {}, 'write', 'verb'],
    ['delete_row', {}, 'destructive', 'verb'],
    ['cancel_job', {}, 'destructive', 'verb'],
    ['run_query', {}, 'unknown', 'nothing'],
    ['execute', {}, 'unknown', 'nothing'],
    ['batch_get', {}, 'unknown', 'nothing'],
    ['frobnicate', {}, 'unknown', 'nothing'],
    ['identify_customer', { description: 'Add or update a customer.' }, 'write', 'verb'],
    ['verify_batch_emails', { description: 'Creates a job that verifies many addresses.' }, 'write', 'contradiction'],
    ['get_sales_report', { description: 'Creates or resumes a report.' }, 'write', 'contradiction'],
    ['get_thing', { description: 'Permanently deletes the thing and returns it.' }, 'destructive', 'contradiction'],
    ['update_thing', { description: 'Replaces it; removes all other rows.' }, 'destructive', 'contradiction'],
    ['get_repository', { requiredScopes: ['delete_repo'] }, 'destructive', 'scopes'],
    ['run_report', { requiredScopes: ['reports.readonly'] }, 'unknown', 'nothing'],
    ['get_mail', { requiredScopes: ['gmail.send'] }, 'write', 'scopes'],
    ['get_mail', { requiredScopes: ['https://www.googleapis.com/auth/gmail.readonly'] }, 'read', 'verb'],
    ['frobnicate', { requiredScopes: ['x.readonly'] }, 'read', 'scopes'],
    ['start_crawl', { lifecycle: { statusActionId: 'x.get_crawl', cancelActionId: null } }, 'write', 'lifecycle'],
    ['get_crawl', { lifecycle: { statusActionId: 'x.get_crawl', cancelActionId: 'x.stop' } }, 'read', 'lifecycle'],
    ['stop', { lifecycle: { statusActionId: 'x.get_crawl', cancelActionId: 'x.stop' } }, 'destructive', 'lifecycle'],
  ] as const)('%s with %j is %s by %s', (name, more, effect, source) => {
    expect(effectOf(facts(name, more))).toMatchObject({ effect, source });
  });

  it('lets the reviewed table have the first word', () => {
    const verdict = effectOf(facts('merge_pull_request', { id: 'github.merge_pull_request', requiredScopes: ['repo'] }));
    expect(verdict).toMatchObject({ effect: 'destructive', source: 'reviewed' });
  });

  const anyFacts = fc.record({
    name: fc.oneof(fc.stringMatching(/^[a-z]{1,9}(_[a-z]{1,9}){0,3}$/), fc.constantFrom('get_x', 'create_x', 'delete_x', 'run_x')),
    description: fc.oneof(fc.string(), fc.constantFrom('Creates it', 'Deletes it', 'Gets it', 'Permanently removes it')),
    scopes: fc.array(fc.oneof(fc.string(), fc.constantFrom('repo', 'read:user', 'delete_repo', 'mail.send', 'x.readonly')), {
      maxLength: 3,
    }),
  });

  it('always gives a known class, a source and one sentence', () => {
    fc.assert(
      fc.property(anyFacts, ({ name, description, scopes }) => {
        const verdict = effectOf(facts(name, { description, requiredScopes: scopes }));
        expect(ACTION_EFFECTS).toContain(verdict.effect);
        expect(EFFECT_SOURCES).toContain(verdict.source);
        expect(verdict.reason.length).toBeGreaterThan(5);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never makes an action milder because more is known against it', () => {
    const order = { read: 0, write: 1, destructive: 2, unknown: 3 };
    fc.assert(
      fc.property(anyFacts, ({ name, description, scopes }) => {
        const plain = effectOf(facts(name, { requiredScopes: scopes }));
        const told = effectOf(facts(name, { requiredScopes: scopes, description }));
        expect(order[told.effect]).toBeGreaterThanOrEqual(order[plain.effect]);
        const scoped = effectOf(facts(name, { description, requiredScopes: [...scopes, 'delete_repo'] }));
        expect(order[scoped.effect]).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 2_000 },
    );
  });

  it('asks about everything that does not only read, and never runs it by itself', () => {
    for (const mode of ['inspect', 'confirm', 'trusted'] as const) {
      for (const effect of ACTION_EFFECTS) {
        const { outcome } = decideCall(call(effect), mode, 'v');
        expect(outcome).toBe(effect === 'read' ? 'allow' : mode === 'inspect' ? 'deny' : 'ask');
      }
    }
    expect(decideCall({ ...call('read'), preview: { allowed: false, rule: 'x' } }, 'trusted', 'v').outcome).toBe('deny');
  });
});

function call(effect: ConnectorCall['effect']['effect']): ConnectorCall {
  return {
    ...{ connectorId: 'c' as ConnectorId, connectorName: 'team', origin: 'https://c.example', mode: 'self-hosted' as const },
    ...{ provider: 'x', action: 'x.y', account: null, input: '{}', inputDigest: '', schemaDigest: '', scopes: [] },
    ...{ effect: { effect, source: 'verb' as const, reason: 'r' }, preview: { allowed: true, rule: null }, route: 'http' as const },
  };
}
