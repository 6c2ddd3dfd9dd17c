/** Tools of hosts that run a command line, and the argument that holds it. */
const COMMAND_OF: Readonly<Record<string, readonly string[]>> = {
  bash: ['command'],
  shell: ['command', 'cmd'],
  exec: ['command', 'cmd'],
  job_start: ['command'],
};

/** The command text that a tool call runs, mined from its arguments as the model wrote them; null where there is none. */
export function minedCommand(toolName: string, written: string | null): string | null {
  const keys = COMMAND_OF[toolName];
  if (!keys || written === null) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(written);
  } catch {
    return null; // a model may write anything
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const given = keys.map((key) => (parsed as Record<string, unknown>)[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof given === 'string' ? given : null;
}
