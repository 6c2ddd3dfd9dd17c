import { isOfDomain, readRoleMap, rolesOf } from './sso-rules.js';

it('reads which value gives which role, and nothing half', () => {
  expect([...(readRoleMap(['ops=operator', 'a=b=admin']) ?? [])]).toEqual([
    ['ops', 'operator'],
    ['a=b', 'admin'],
  ]);
  for (const bad of ['ops', 'ops=', '=admin', 'ops=root', 'ops=Admin']) expect(readRoleMap([bad])).toBeUndefined();
});

it.each([
  [
    ['ops', 'boss'],
    ['operator', 'admin'],
  ],
  ['boss ops', ['operator', 'admin']],
  [['ops', 'ops', 7, null], ['operator']],
  [{ ops: true }, []],
  [undefined, []],
  ['opsboss', []],
])('gives for the claim %j the roles %j', (claim, roles) => {
  expect(
    rolesOf(
      claim,
      new Map([
        ['ops', 'operator'],
        ['boss', 'admin'],
      ]),
    ),
  ).toEqual(roles);
});

it.each([
  ['ada@acme.example', true, true],
  ['ada@ACME.example', true, true],
  ['ada@acme.example', false, false],
  ['ada@evil.example', true, false],
  ['ada@evil.example@acme.example', true, false],
  ['ada@sub.acme.example', true, false],
  [undefined, true, false],
])('judges the address %s, verified %s, as %s', (email, isEmailVerified, isIn) => {
  expect(isOfDomain({ email, isEmailVerified }, ['acme.example'])).toBe(isIn);
});
