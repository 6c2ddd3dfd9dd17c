import {
  McpPrompt,
  McpPrompts,
  McpResource,
  McpResources,
  McpTool,
  McpTools,
  needsInput,
  type NeedsInput,
  type ToolCall,
} from './index.js';
import * as z from 'zod';

const In = z.object({ a: z.string() });
const Out = z.object({ b: z.array(z.string()) });

@McpTools()
class Ok {
  @McpTool({ name: 'whoami', title: 't', description: 'd', effect: 'read', scope: null, input: In, output: Out })
  async who({ a }: z.output<typeof In>, _call: ToolCall): Promise<{ readonly b: readonly string[] } | NeedsInput> {
    return a ? { b: [a] } : needsInput({ state: 1 });
  }
  // @ts-expect-error unknown name
  @McpTool({ name: 'nobody', title: 't', description: 'd', effect: 'read', scope: null, input: In, output: Out })
  async no(): Promise<{ b: string[] }> {
    return { b: [] };
  }
  // @ts-expect-error wrong output
  @McpTool({ name: 'whoami', title: 't', description: 'd', effect: 'read', scope: null, input: In, output: Out })
  async no2(): Promise<{ b: number[] }> {
    return { b: [] };
  }
  // @ts-expect-error wrong input
  @McpTool({ name: 'whoami', title: 't', description: 'd', effect: 'read', scope: null, input: In, output: Out })
  async no3(_i: { a: number }): Promise<{ b: string[] }> {
    return { b: [] };
  }
}
@McpResources()
class Res {
  @McpResource({
    name: 'r',
    uriTemplate: 'receipt://{id}',
    title: 't',
    description: 'd',
    mimeType: 'application/json',
    scope: 'receipts:read',
    list: 'list',
    complete: { id: 'ids' },
  })
  async read({ id }: Readonly<Record<string, string>>): Promise<{ text: string }> {
    return { text: id ?? '' };
  }
  async list(): Promise<{ uri: string; name: string }[]> {
    return [];
  }
  async ids(): Promise<string[]> {
    return [];
  }
  @McpResource({ name: 'r', uriTemplate: 'receipt://x', title: 't', description: 'd', mimeType: 'application/json', scope: null })
  async read2(): Promise<{ text: string }> {
    return { text: '' };
  }
  // @ts-expect-error no such method
  @McpResource({
    name: 'r',
    uriTemplate: 'receipt://x',
    title: 't',
    description: 'd',
    mimeType: 'application/json',
    scope: null,
    list: 'nope',
  })
  async read3(): Promise<{ text: string }> {
    return { text: '' };
  }
}
@McpPrompts()
class Pro {
  @McpPrompt({ name: 'p', title: 't', description: 'd', args: z.object({ task: z.string() }) })
  async p({ task }: { task: string }): Promise<string> {
    return task;
  }
}
it('compiles', () => {
  expect([Ok, Res, Pro]).toHaveLength(3);
});
