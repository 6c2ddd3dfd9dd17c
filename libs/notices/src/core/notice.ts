import type { Ask, NoticeType, ReceiptSummary, Risk, Role, WorkspaceId } from '#contracts';
import { cut, visible } from './text.js';

/** What a message says, before it takes the shape of a chat service. All of it is made visible and cut. */
export interface Notice {
  readonly type: NoticeType;
  readonly title: string;
  /** Short facts, one a line. */
  readonly lines: readonly string[];
  readonly risk: Risk;
  readonly workspaceId: WorkspaceId | null;
  /** Roles that may decide; empty: no ask, or whoever may decide asks. */
  readonly deciders: readonly Role[];
  /** Path in the console; it holds no secret and leads to a sign-in. */
  readonly path: string;
  readonly at: number;
}

const MOST_TITLE = 200;
const MOST_LINE = 500;
const RISK_ORDER: readonly Risk[] = ['low', 'medium', 'high', 'blocked'];

export function isAtLeast(risk: Risk, least: Risk): boolean {
  return RISK_ORDER.indexOf(risk) >= RISK_ORDER.indexOf(least);
}

export function askOpened(ask: Ask, workspace: string): Notice {
  return {
    ...ofAsk(ask),
    type: 'ask.opened',
    title: title(`Waiting for a decision: ${ask.title}`),
    lines: factsOf(ask, workspace),
    at: ask.createdAt,
  };
}

/** `share`: which part of its time is over. */
export function askReminder(ask: Ask, workspace: string, share: number, at: number): Notice {
  const over = `${String(Math.round(share * 100))} % of the time is over`;
  return {
    ...ofAsk(ask),
    type: 'ask.reminder',
    title: title(`Still waiting: ${ask.title}`),
    lines: [over, ...factsOf(ask, workspace)],
    at,
  };
}

export function askClosed(ask: Ask, workspace: string, at: number): Notice {
  const by = ask.votes.map(({ byName, answer, reason }) => line(`${byName}: ${answer}${reason === null ? '' : ` (${reason})`}`));
  return { ...ofAsk(ask), type: 'ask.closed', title: title(`${ask.title}: ${ask.status}`), lines: [...factsOf(ask, workspace), ...by], at };
}

export function runFailed(receipt: ReceiptSummary, workspaceId: WorkspaceId | null): Notice {
  const { id, outcome, command, requesterName, workspaceName, risk, at } = receipt;
  const lines = [line(command), line(`Workspace ${workspaceName}, for ${requesterName}`)];
  return {
    type: 'run.failed',
    title: title(`A run ended: ${outcome}`),
    lines,
    risk,
    workspaceId,
    deciders: [],
    path: `/receipts/${id}`,
    at,
  };
}

export function policyChanged(version: string, at: number): Notice {
  const lines = [line(`Version ${version} is in force`)];
  return {
    type: 'policy.changed',
    title: 'The policy has changed',
    lines,
    risk: 'high',
    workspaceId: null,
    deciders: [],
    path: '/policy',
    at,
  };
}

export function testNotice(name: string, at: number): Notice {
  const lines = [line(`The webhook ${name} works.`)];
  return { type: 'webhook.test', title: 'A test message', lines, risk: 'low', workspaceId: null, deciders: [], path: '/webhooks', at };
}

/** What goes to a service of others holds no secret that can be known as one. */
export function withoutSecrets(notice: Notice, redact: (text: string) => string): Notice {
  return { ...notice, title: redact(notice.title), lines: notice.lines.map(redact) };
}

function ofAsk({ id, risk, workspaceId, deciders = [] }: Ask): Pick<Notice, 'risk' | 'workspaceId' | 'deciders' | 'path'> {
  return { risk, workspaceId, deciders: [...new Set(deciders.flatMap(({ roles }) => roles))], path: `/asks/${id}` };
}

function factsOf({ summary, risk, requesterName, reasons, expiresAt }: Ask, workspace: string): readonly string[] {
  const where = workspace === '' ? '' : ` in ${workspace}`;
  return [
    line(summary),
    line(`Risk ${risk}, asked by ${requesterName}${where}`),
    ...reasons.slice(0, 3).map(line),
    `Open until ${new Date(expiresAt).toISOString()}`,
  ];
}

function title(text: string): string {
  return cut(visible(text), MOST_TITLE);
}

function line(text: string): string {
  return cut(visible(text), MOST_LINE);
}
