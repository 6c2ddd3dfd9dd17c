/** What the product promises, one sentence each. An architecture test fails on a promise that no test verifies. */
export const PROMISES = {
  // platform
  'events:one-order': 'Events have one total order, and the order of commits is the order of numbers.',
  'events:resume': 'A stream that was cut goes on exactly after its cursor: nothing lost, nothing twice.',
  'events:resync': 'A cursor that is too old gets one explicit resync.',
  'streams:bounded': 'A slow viewer is closed, not waited for; a viewer that leaves is gone from memory.',
  'streams:isolated': 'A viewer never receives events that it may not see.',
  'http:host-allow-list': 'A foreign Host or Origin is refused before the body is read, on streams too.',
  'http:no-token-in-logs': 'No log line holds a token.',
  'config:names-the-key': 'A bad setting stops the start and names the key, never the value.',
  // auth
  'auth:one-owner': 'The one-use link makes exactly one owner, however many follow it at once.',
  'auth:closed-by-default': 'A route that does not say who may enter lets nobody in, and a wrong scope is refused by name.',
  'auth:csrf': 'A write with the console cookie needs the CSRF token of that very session.',
  'auth:revoked-at-once': 'A token that is revoked, and a person who is disabled, are refused from the next request on.',
  'auth:no-secret-in-logs': 'No log line holds a password, a token, a cookie or a link.',
  'auth:last-admin': 'The last admin can be neither disabled nor demoted, also when two admins act at once.',
  'invariant:16': 'An agent can never change policy, roles, tokens or its own limits.',
  // the product as a whole
  'crash:nothing-lost-nothing-twice':
    'Whenever the server is killed, no acknowledged receipt is lost, nothing runs twice, every started run ends with a receipt.',
} as const satisfies Record<string, string>;

export type PromiseId = keyof typeof PROMISES;
