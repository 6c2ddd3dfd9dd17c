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
  'invariant:8': 'HTTP fails closed without a strong credential; STDIO is authorised by its parent process.',
  'invariant:16': 'An agent can never change policy, roles, tokens or its own limits.',
  // mcp
  'mcp:both-eras': 'Modern clients, legacy sessions and stateless legacy clients get the same tools and the same answers.',
  'mcp:isolation': 'Callers that use the same ids at the same time get only their own answers.',
  'mcp:session-bound': 'A legacy session belongs to its caller and its address; for all others it does not exist.',
  'mcp:state-bound': 'The state between two rounds is refused when it was changed, is old, or belongs to another caller or call.',
  'mcp:first-answer': 'A call with a request_id is carried out once, and its first answer is given again.',
  'mcp:cancel-own': 'A client that leaves cancels its own call and no other.',
  'mcp:bounded': 'A message that is too large, too deep or too full is refused before anything looks at it.',
  'mcp:listen-readable': 'A client hears of changes only to what it may read, and only as long as it may be here.',
  'mcp:end-of-input': 'The end of STDIO input cancels what is still at work, and the server ends when that has ended.',
  'mcp:log-without-arguments': 'The log says who called what and how it ended, never with what.',
  // the product as a whole
  'crash:nothing-lost-nothing-twice':
    'Whenever the server is killed, no acknowledged receipt is lost, nothing runs twice, every started run ends with a receipt.',
} as const satisfies Record<string, string>;

export type PromiseId = keyof typeof PROMISES;
