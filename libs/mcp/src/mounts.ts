/** One address of the protocol and what is offered there. */
export interface Mount {
  readonly path: string;
  readonly offers: (tool: string) => boolean;
}

const ALSO_ON_TERMINAL: ReadonlySet<string> = new Set(['whoami', 'policy_explain']);

/** Every address. Resources and prompts are the same on all of them. */
export const MOUNTS: readonly [Mount, ...Mount[]] = [
  { path: 'mcp', offers: () => true },
  { path: 'mcp/terminal', offers: (tool) => tool.startsWith('terminal_') || ALSO_ON_TERMINAL.has(tool) },
];
