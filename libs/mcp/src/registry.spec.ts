import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import * as z from 'zod';
import { McpResource, McpResources, McpTool, McpTools } from './declarations.js';
import { MOUNTS } from './mounts.js';
import { McpRegistry } from './registry.js';

const Empty = z.object({});
const Ok = z.object({ ok: z.boolean() });
const base = { title: 'T', description: 'D', scope: null, input: Empty, output: Ok } as const;
const ok = () => Promise.resolve({ ok: true });

@Injectable()
@McpTools()
class Effects {
  @McpTool({ ...base, name: 'terminal_wait', effect: 'read' })
  async read(): Promise<{ ok: boolean }> {
    return ok();
  }

  @McpTool({ ...base, name: 'terminal_plan', effect: 'write' })
  async write(): Promise<{ ok: boolean }> {
    return ok();
  }

  @McpTool({ ...base, name: 'terminal_cancel', effect: 'destructive', idempotent: true, openWorld: true })
  async destroy(): Promise<{ ok: boolean }> {
    return ok();
  }
}

@Injectable()
@McpTools()
class Again {
  @McpTool({ ...base, name: 'terminal_plan', effect: 'read' })
  async plan(): Promise<{ ok: boolean }> {
    return ok();
  }
}

@Injectable()
@McpTools()
class OwnRequestId {
  @McpTool({ ...base, name: 'whoami', effect: 'write', input: z.object({ request_id: z.string() }) })
  async whoami(): Promise<{ ok: boolean }> {
    return ok();
  }
}

@Injectable()
@McpTools()
class NoObject {
  @McpTool({ ...base, name: 'whoami', effect: 'read', output: z.string() })
  async whoami(): Promise<string> {
    return Promise.resolve('text');
  }
}

@Injectable()
class Unmarked {
  @McpTool({ ...base, name: 'whoami', effect: 'read' })
  async whoami(): Promise<{ ok: boolean }> {
    return ok();
  }
}

@Injectable()
@McpResources()
class Things {
  @McpResource({ name: 'b', uriTemplate: 'b://{id}', title: 'B', description: 'B', mimeType: 'text/plain', scope: null })
  async b(): Promise<{ text: string }> {
    return Promise.resolve({ text: 'b' });
  }

  @McpResource({ name: 'a', uriTemplate: 'a://fixed', title: 'A', description: 'A', mimeType: 'text/plain', scope: null })
  async a(): Promise<{ text: string }> {
    return Promise.resolve({ text: 'a' });
  }
}

async function registryOf(...providers: Type[]): Promise<McpRegistry> {
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers: [McpRegistry, ...providers] }).compile();
  await module.init();
  return module.get(McpRegistry);
}

describe('McpRegistry', () => {
  it('finds what is declared, in the order of names', async () => {
    const { tools, resources } = await registryOf(Things, Effects, Unmarked);
    expect([...tools.keys()]).toEqual(['terminal_cancel', 'terminal_plan', 'terminal_wait']);
    expect([...resources.keys()]).toEqual(['a', 'b']);
  });

  it('annotates every tool from its effect', async () => {
    const { tools } = await registryOf(Effects);
    const hints = [...tools.values()].map(({ name, listed: { annotations }, takesRequestId }) => [
      name,
      annotations?.readOnlyHint,
      annotations?.destructiveHint,
      annotations?.idempotentHint,
      annotations?.openWorldHint,
      takesRequestId,
    ]);
    expect(hints).toEqual([
      ['terminal_cancel', false, true, true, true, true],
      ['terminal_plan', false, false, false, false, true],
      ['terminal_wait', true, false, true, false, false],
    ]);
  });

  it.each([
    ['a name that stands twice', [Effects, Again], 'terminal_plan is declared twice'],
    ['an own request_id', [OwnRequestId], 'whoami cannot be served'],
    ['an answer that is no object', [NoObject], 'whoami cannot be served'],
  ])('stops the start on %s', async (_name, providers, words) => {
    await expect(registryOf(...providers)).rejects.toThrow(words);
  });
});

describe('MOUNTS', () => {
  it('offer everything, or the terminal alone', () => {
    const names = ['whoami', 'policy_explain', 'terminal_plan', 'dsh_health', 'connector_plan'];
    expect(MOUNTS.map(({ path, offers }) => [path, names.filter(offers)])).toEqual([
      ['mcp', names],
      ['mcp/terminal', ['whoami', 'policy_explain', 'terminal_plan']],
    ]);
  });
});
