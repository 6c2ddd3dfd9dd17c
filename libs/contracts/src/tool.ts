/** Every MCP tool of the shipped product. Frozen by a pin test; at most 40. */
export const TOOLS = [
  'whoami',
  'policy_explain',
  'terminal_open_session',
  'terminal_close_session',
  'terminal_plan',
  'terminal_approve',
  'terminal_execute',
  'terminal_wait',
  'terminal_output',
  'terminal_pause',
  'terminal_resume',
  'terminal_cancel',
  'terminal_receipt',
] as const;
export type ToolName = (typeof TOOLS)[number];
