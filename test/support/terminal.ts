import type { Client } from '@modelcontextprotocol/client';
import type { RunFrame } from '#contracts';
import type { Booted } from './boot.js';

export type Answer = Record<string, unknown> & { readonly error?: { readonly code: string; readonly details: Record<string, unknown> } };

/** What a tool answered: its structured result, or its error. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Answer> {
  const { structuredContent, content } = await client.callTool({ name, arguments: args }, signal ? { signal } : undefined);
  const [block] = content as { readonly text?: string }[];
  return (structuredContent ?? JSON.parse(block?.text ?? '{}')) as Answer;
}

export function refOf({ session_id, plan_id }: Answer): Record<string, unknown> {
  return { session_id, plan_id };
}

/** The owner's vote on a waiting plan. */
export async function decide(api: Booted, plan: Answer, answer: 'approve' | 'deny' = 'approve'): Promise<void> {
  const owner = await api.owner();
  await owner.post(`/api/asks/${String(plan['ask_id'])}/votes`, { answer, digest: plan['digest'] });
}

/** A plan of the agent that may run: policy has allowed it, or the owner has approved it. */
export async function approvedPlan(
  api: Booted,
  client: Client,
  argv: readonly string[],
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const plan = await callTool(client, 'terminal_plan', { argv, ...more });
  if (plan['status'] === 'awaiting_approval') await decide(api, plan);
  return plan;
}

export interface Framed {
  readonly id: number;
  readonly frame: RunFrame;
}

/** Reads frames of a run's stream until the server ends it, or `most` have come. */
export async function readFrames(response: Response, most = Number.MAX_SAFE_INTEGER): Promise<Framed[]> {
  const frames: Framed[] = [];
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader && frames.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (id !== undefined && data !== undefined) frames.push({ id: Number(id), frame: JSON.parse(data) as RunFrame });
    }
  }
  await reader?.cancel();
  return frames.slice(0, most);
}

export async function until<T>(look: () => Promise<T | undefined> | T | undefined, ms = 15_000): Promise<T> {
  for (const deadline = Date.now() + ms; Date.now() < deadline;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not come');
}
