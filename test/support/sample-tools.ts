import { Injectable } from '@nestjs/common';
import { McpPrompt, McpPrompts, McpResource, McpResources, McpTool, McpTools, needsInput, type NeedsInput, type ToolCall } from '#mcp';
import { AppError } from '#platform';
import * as z from 'zod';

const Text = z.object({ text: z.string().max(100) });
const Wait = z.object({ ms: z.int().max(60_000) });
const Ask = z.object({ text: z.string(), how: z.enum(['url', 'form', 'wait']) });
const Asked = z.object({ action: z.string(), agreed: z.boolean().optional(), rounds: z.int() });
const Steps = z.object({ steps: z.int() });

/** Tools of a test, under names of the product, that do one plain thing each. */
@Injectable()
@McpTools()
export class SampleTools {
  /** Who called `terminal_plan` with what, in order. */
  readonly done: string[] = [];
  /** Calls of `terminal_wait` that were cancelled. */
  readonly cancelled: string[] = [];
  waiting = 0;

  @McpTool({
    name: 'whoami',
    title: 'Who',
    description: 'Says who calls.',
    effect: 'read',
    scope: null,
    input: Text,
    output: z.object({ id: z.string(), text: z.string(), channel: z.string() }),
  })
  async whoami(
    { text }: z.output<typeof Text>,
    { principal: { id, channel } }: ToolCall,
  ): Promise<{ id: string; text: string; channel: string }> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    return { id, text, channel };
  }

  @McpTool({
    name: 'terminal_plan',
    title: 'Plan',
    description: 'Does something once.',
    effect: 'write',
    scope: 'terminal:plan',
    input: Text,
    output: z.object({ text: z.string(), count: z.int() }),
    links: ({ text }) => [{ uri: `plan://${text}`, name: text }],
  })
  async plan({ text }: z.output<typeof Text>, { principal, notifyResource }: ToolCall): Promise<{ text: string; count: number }> {
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (text === 'denied') throw new AppError('PLAN_BLOCKED', 'No', { reasons: ['because'] });
    if (text === 'later' && !this.done.includes('ready')) throw new AppError('PLAN_NOT_APPROVED', 'Not yet');
    if (text === 'bug') throw new Error('a secret detail');
    this.done.push(`${principal.id}:${text}`);
    notifyResource(`plan://${text}`);
    return { text, count: this.done.length };
  }

  @McpTool({
    name: 'terminal_wait',
    title: 'Wait',
    description: 'Waits.',
    effect: 'read',
    scope: 'terminal:execute',
    input: Wait,
    output: z.object({ waited: z.boolean() }),
  })
  async wait({ ms }: z.output<typeof Wait>, { signal, principal }: ToolCall): Promise<{ waited: boolean }> {
    this.waiting += 1;
    const waited = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, ms, true);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve(false);
      });
    });
    this.waiting -= 1;
    if (!waited) this.cancelled.push(principal.id);
    return { waited };
  }

  @McpTool({
    name: 'terminal_execute',
    title: 'Ask',
    description: 'Asks the client.',
    effect: 'destructive',
    scope: 'terminal:execute',
    input: Ask,
    output: Asked,
  })
  async ask({ how }: z.output<typeof Ask>, { round, can }: ToolCall): Promise<z.input<typeof Asked> | NeedsInput> {
    const rounds = ((round?.state ?? 0) as number) + 1;
    if (how === 'wait') return Promise.resolve(rounds < 3 ? needsInput({ state: rounds }) : { action: 'waited', rounds });
    if (!can[how]) return Promise.resolve({ action: 'pending_approval', rounds });
    if (!round) {
      if (how === 'url')
        return Promise.resolve(needsInput({ url: { message: 'Open it', url: 'http://127.0.0.1:1/asks/1' }, state: rounds }));
      const schema = { type: 'object', properties: { agreed: { type: 'boolean', title: 'Agreed' } }, required: ['agreed'] } as const;
      return Promise.resolve(needsInput({ form: { message: 'Agree?', schema }, state: rounds }));
    }
    const { action, content } = round.responses[how] as { action: string; content?: { agreed?: boolean } };
    return Promise.resolve({ action, rounds, ...(content?.agreed !== undefined && { agreed: content.agreed }) });
  }

  @McpTool({
    name: 'terminal_output',
    title: 'Steps',
    description: 'Reports progress.',
    effect: 'read',
    scope: null,
    input: Steps,
    output: z.object({ asked: z.boolean() }),
  })
  async steps({ steps }: z.output<typeof Steps>, { progress }: ToolCall): Promise<{ asked: boolean }> {
    for (let step = 1; step <= steps; step += 1) {
      progress?.(step, steps, `step ${step}`);
      progress?.(step - 1, steps, 'backwards');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { asked: progress !== undefined };
  }
}

@Injectable()
@McpResources()
export class SampleResources {
  @McpResource({
    name: 'plan',
    uriTemplate: 'plan://{id}',
    title: 'A plan',
    description: 'One plan.',
    mimeType: 'application/json',
    scope: 'terminal:plan',
    list: 'list',
    complete: { id: 'ids' },
  })
  async plan({ id }: Readonly<Record<string, string>>, { principal }: ToolCall): Promise<{ text: string }> {
    if (id === 'hidden') throw new AppError('PLAN_NOT_FOUND', 'No such plan');
    if (id === 'bug') throw new Error('a secret detail');
    return Promise.resolve({ text: JSON.stringify({ id, for: principal.id }) });
  }

  async list(): Promise<{ uri: string; name: string }[]> {
    return Promise.resolve([{ uri: 'plan://one', name: 'one' }]);
  }

  async ids(typed: string): Promise<string[]> {
    return Promise.resolve(['one', 'other', 'two'].filter((id) => id.startsWith(typed)));
  }

  @McpResource({
    name: 'file',
    uriTemplate: 'workspace:///{+path}',
    title: 'A file',
    description: 'One file.',
    mimeType: 'text/plain',
    scope: null,
  })
  async file({ path }: Readonly<Record<string, string>>): Promise<{ text: string } | { blob: Uint8Array; mimeType: string }> {
    return Promise.resolve(path === 'pic.png' ? { blob: new Uint8Array([1, 2, 3]), mimeType: 'image/png' } : { text: `at ${path ?? ''}` });
  }

  @McpResource({
    name: 'receipts',
    uriTemplate: 'receipts://all',
    title: 'Receipts',
    description: 'All.',
    mimeType: 'text/plain',
    scope: 'receipts:read',
  })
  async receipts(): Promise<{ text: string }> {
    return Promise.resolve({ text: 'none' });
  }
}

@Injectable()
@McpPrompts()
export class SamplePrompts {
  @McpPrompt({
    name: 'safe_terminal_task',
    title: 'Safe task',
    description: 'Plans first.',
    args: z.object({ task: z.string().describe('What to do'), hint: z.string().optional() }),
  })
  async task({ task }: { task: string }): Promise<string> {
    return Promise.resolve(`Do ${task}`);
  }
}
