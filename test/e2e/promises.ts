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
  'mcp:whole-flow':
    'A real client of each protocol version, over HTTP and STDIO, plans, waits for a person, runs once and gets the receipt.',
  'mcp:opens-console': 'A client that can open a page is sent to the console, and goes on when the person has decided.',
  'mcp:tools-frozen': 'What clients read about a tool changes only together with a pinned digest.',
  'mcp:isolation': 'Callers that use the same ids at the same time get only their own answers.',
  'mcp:session-bound': 'A legacy session belongs to its caller and its address; for all others it does not exist.',
  'mcp:state-bound': 'The state between two rounds is refused when it was changed, is old, or belongs to another caller or call.',
  'mcp:first-answer': 'A call with a request_id is carried out once, and its first answer is given again.',
  'mcp:cancel-own': 'A client that leaves cancels its own call and no other.',
  'mcp:bounded': 'A message that is too large, too deep or too full is refused before anything looks at it.',
  'mcp:listen-readable': 'A client hears of changes only to what it may read, and only as long as it may be here.',
  'mcp:end-of-input': 'The end of STDIO input cancels what is still at work, and the server ends when that has ended.',
  'mcp:log-without-arguments': 'The log says who called what and how it ended, never with what.',
  // asks and receipts
  'asks:first-wins': 'Of two approvals of one plan at once one wins, and the other hears who was first and when.',
  'asks:agent-cannot-decide': 'An agent never decides what it asked, whatever it finds in its answers.',
  'receipts:offline': 'A finished run answers with a receipt that verifies without the server, and with no byte of it changed.',
  'receipts:one-truth': 'Every door gives the same receipt: the run, the tool, the resource, REST and the downloaded verifier.',
  'receipts:share-safe': 'A file made for sharing shows no command, path or output and still proves its place in the ledger.',
  // the invariants of the design; those about callers stand with auth
  'invariant:1': 'Model output is data: no text from a program ever triggers an action.',
  'invariant:2': 'A plan always precedes its run, and a run comes only from an approved plan, once.',
  'invariant:3': 'A run checks what its plan saw again, and refuses when anything moved.',
  'invariant:4': 'An approval is tied to plan, session and digest, and made by a principal who may decide.',
  'invariant:5': 'A command runs as an argv list without a shell, in a reduced environment, contained, within its limits.',
  'invariant:6': 'Every final state of a run has a signed receipt that is durable before anyone is told.',
  'invariant:7': 'The start is durable before anything is spawned; after a crash the run is interrupted and never repeated.',
  'invariant:9': 'Stream viewers are isolated, bounded, and gone after disconnect, end and expiry.',
  'invariant:10': 'An ask survives restarts, is answerable everywhere at once, and no leaving viewer decides it.',
  'invariant:11': 'Silence is never consent: denied, expired and cancelled are different everywhere.',
  'invariant:12': 'Decide, write, publish: what is told has happened, and no decision depends on a watcher.',
  'invariant:13': 'Text that an agent can see holds no secret that can decide, and GET and HEAD change nothing.',
  'invariant:14': 'Our keys and credentials reach no browser, model, log or receipt.',
  // the product as a whole
  'crash:nothing-lost-nothing-twice':
    'Whenever the server is killed, no acknowledged receipt is lost, nothing runs twice, every started run ends with a receipt.',
} as const satisfies Record<string, string>;

export type PromiseId = keyof typeof PROMISES;
