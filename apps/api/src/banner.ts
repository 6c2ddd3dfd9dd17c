import type { SandboxFacts } from '#contracts';

/** What a start tells the person at the keyboard. */
export interface StartFacts {
  readonly version: string;
  readonly url: string;
  /** One use; undefined once there is an owner. */
  readonly link: string | undefined;
  readonly linkExpiresAt: number;
  /** The secret; undefined after the first start. */
  readonly agentToken: string | undefined;
  readonly workspace: { readonly root: string; readonly mode: string } | undefined;
  readonly sandbox: SandboxFacts;
  readonly sandboxAdvice: string | null;
}

/** The lines of the banner, one label each; test/support/server.mjs reads them. */
export function banner(facts: StartFacts): string {
  const { sandbox } = facts;
  const rows: (readonly [string, string])[] = [['Console', facts.url]];
  if (facts.link !== undefined)
    rows.push(['Sign-in link', `${facts.link} (first owner, one use, until ${clockTime(facts.linkExpiresAt)})`]);
  rows.push([
    'Agent token',
    facts.agentToken === undefined
      ? 'shown at the first start; `npx countersign token create NAME` makes another'
      : `${facts.agentToken} (shown once)`,
  ]);
  rows.push(['MCP', `${facts.url}/mcp`]);
  rows.push([
    'Workspace',
    facts.workspace ? `${facts.workspace.root} (mode ${facts.workspace.mode})` : 'none yet; register one in the console',
  ]);
  rows.push(['Sandbox', `${sandbox.kind}${sandbox.version === null ? '' : ` ${sandbox.version}`}, ${sandbox.enforcement}`]);
  if (facts.sandboxAdvice !== null) rows.push(['', facts.sandboxAdvice]);
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const lines = rows.map(([label, text]) => (label === '' ? '' : `${label}:`).padEnd(width) + text);
  return `Countersign ${facts.version}\n\n${lines.join('\n')}\n\nReady. Stop with Ctrl+C.\n`;
}

function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}
