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
} as const satisfies Record<string, string>;

export type PromiseId = keyof typeof PROMISES;
