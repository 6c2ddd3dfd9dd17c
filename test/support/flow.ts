import type { Client } from '@modelcontextprotocol/client';
import type { ReceiptFile, WireError } from '#contracts';
import type { Booted } from './boot.js';
import { ConsoleClient } from './console-client.mjs';

/** What callers do with the product, in the fewest words: plan, decide, run. */

export const PASSWORD = 'nine green bottles';
export const NO_SUCH_ID = '01920000-0000-7000-8000-000000000001';

/** `structuredContent` of any tool: an answer or a refusal. */
export type Answer = Record<string, unknown> & Partial<ReceiptFile> & { readonly error?: WireError };

export interface PlanAnswer {
  readonly plan_id: string;
  readonly session_id: string;
  readonly ask_id: string;
  readonly digest: string;
  readonly status: string;
  readonly expires_at: number;
}

export async function call(client: Pick<Client, 'callTool'>, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { structuredContent } = await client.callTool({ name, arguments: args });
  return structuredContent as Answer;
}

/** A plan that was made; a refusal to plan fails the test. */
export async function plan(
  client: Pick<Client, 'callTool'>,
  argv: readonly string[],
  more: Record<string, unknown> = {},
): Promise<PlanAnswer> {
  const answer = await call(client, 'terminal_plan', { argv, ...more });
  if (answer.error) throw new Error(`Not planned: ${JSON.stringify(answer.error)}`);
  return answer as unknown as PlanAnswer;
}

export function refOf({ session_id, plan_id }: PlanAnswer): { session_id: string; plan_id: string } {
  return { session_id, plan_id };
}

export function execute(client: Pick<Client, 'callTool'>, planned: PlanAnswer): Promise<Answer> {
  return call(client, 'terminal_execute', refOf(planned));
}

export function vote(person: ConsoleClient, { ask_id, digest }: PlanAnswer, answer: 'approve' | 'deny' = 'approve'): Promise<unknown> {
  return person.post(`/api/asks/${ask_id}/votes`, { answer, digest });
}

/** Plans, has it approved where a person has to, runs it, and answers with what the caller is told at the end. */
export async function run(
  client: Pick<Client, 'callTool'>,
  person: ConsoleClient,
  argv: readonly string[],
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const planned = await plan(client, argv, more);
  if (planned.status === 'awaiting_approval') await vote(person, planned);
  return execute(client, planned);
}

/** Another person, made by the owner and signed in. */
export async function person(
  api: Pick<Booted, 'url'>,
  owner: ConsoleClient,
  name: string,
  roles: readonly string[],
): Promise<ConsoleClient> {
  await owner.post('/api/people', { name, password: PASSWORD, roles });
  const client = new ConsoleClient(api.url);
  await client.login(name, PASSWORD);
  return client;
}

/** The first answer of `look` that is not undefined. */
export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined, withinMs = 20_000): Promise<T> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(20);
  }
  throw new Error(`Not within ${withinMs} ms: ${what}`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
