import * as z from 'zod';
import { McpPrompt, McpPrompts, McpResource, McpResources, McpTool, McpTools } from './declarations.js';
import { needsInput, type NeedsInput } from './needs-input.js';
import type { ToolCall } from './tool-call.js';

const In = z.object({ a: z.string() });
const Out = z.object({ b: z.array(z.string()) });
const tool = { title: 'T', description: 'D', effect: 'read', scope: null, input: In, output: Out } as const;
const resource = { uriTemplate: 'receipt://{id}', title: 'T', description: 'D', mimeType: 'text/plain', scope: null } as const;

/** The type checker is the test: each expected error below is one that it must find. */
@McpTools()
class Tools {
  @McpTool({ ...tool, name: 'whoami' })
  async fits({ a }: z.output<typeof In>, _call: ToolCall): Promise<{ readonly b: readonly string[] } | NeedsInput> {
    return Promise.resolve(a === '' ? needsInput({ state: 1 }) : { b: [a] });
  }

  // @ts-expect-error a name outside the contract's table
  @McpTool({ ...tool, name: 'nobody' })
  async unknownName(): Promise<{ b: string[] }> {
    return Promise.resolve({ b: [] });
  }

  // @ts-expect-error an answer that does not fit
  @McpTool({ ...tool, name: 'whoami' })
  async otherAnswer(): Promise<{ b: number[] }> {
    return Promise.resolve({ b: [] });
  }

  // @ts-expect-error an input that does not fit
  @McpTool({ ...tool, name: 'whoami' })
  async otherInput(_input: { a: number }): Promise<{ b: string[] }> {
    return Promise.resolve({ b: [] });
  }
}

@McpResources()
class Resources {
  @McpResource({ ...resource, name: 'fits', list: 'list', complete: { id: 'ids' } })
  async fits({ id }: Readonly<Record<string, string>>): Promise<{ text: string }> {
    return Promise.resolve({ text: id ?? '' });
  }

  @McpResource({ ...resource, name: 'plain' })
  async plain(): Promise<{ blob: Uint8Array }> {
    return Promise.resolve({ blob: new Uint8Array() });
  }

  // @ts-expect-error no such method
  @McpResource({ ...resource, name: 'nowhere', list: 'nowhere' })
  async nowhere(): Promise<{ text: string }> {
    return Promise.resolve({ text: '' });
  }

  async list(): Promise<{ uri: string; name: string }[]> {
    return Promise.resolve([]);
  }

  async ids(typed: string): Promise<string[]> {
    return Promise.resolve([typed]);
  }
}

@McpPrompts()
class Prompts {
  @McpPrompt({ name: 'fits', title: 'T', description: 'D', args: In })
  async fits({ a }: { a: string }): Promise<string> {
    return Promise.resolve(a);
  }

  // @ts-expect-error arguments that do not fit
  @McpPrompt({ name: 'other', title: 'T', description: 'D', args: In })
  async other({ a }: { a: number }): Promise<string> {
    return Promise.resolve(String(a));
  }
}

it('ties methods to their schemas', () => {
  expect([Tools, Resources, Prompts].map(({ name }) => name)).toEqual(['Tools', 'Resources', 'Prompts']);
});
