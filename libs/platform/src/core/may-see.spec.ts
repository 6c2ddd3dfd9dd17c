import { SCOPES, type AppEvent, type PrincipalId, type TokenId } from '#contracts';
import { aPrincipal } from '../../../../test/support/platform-app.js';
import { maySee } from './may-see.js';

const place = { seq: 1, at: 1, owner: 'bot' as PrincipalId, sessionId: null };
const work: AppEvent = { ...place, type: 'policy.changed', version: '1' };
const token: AppEvent = { ...place, type: 'token.changed', tokenId: 'bot' as TokenId };
const person: AppEvent = { ...place, type: 'person.changed', personId: 'alice' as PrincipalId };

const bot = { id: 'bot' as PrincipalId, kind: 'token' } as const;
const other = { id: 'other' as PrincipalId } as const;

it.each([
  ['a person', aPrincipal(), work, true],
  ['the token whose work it is', aPrincipal(bot), work, true],
  ['another token', aPrincipal({ ...other, kind: 'token' }), work, false],
  ['another local caller', aPrincipal({ ...other, kind: 'local' }), work, false],
  ['a token with the scope admin', aPrincipal({ ...other, kind: 'token', scopes: ['admin'] }), work, true],
  ['a person', aPrincipal(), token, false],
  ['a person', aPrincipal(), person, false],
  ['the token itself', aPrincipal(bot), token, false],
  ['an admin', aPrincipal({ scopes: [...SCOPES] }), person, true],
])('%s sees %#: %s', (_who, principal, event, isSeen) => {
  expect(maySee(principal, event)).toBe(isSeen);
});
