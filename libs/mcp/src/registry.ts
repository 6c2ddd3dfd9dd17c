import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { UriTemplate, type Prompt, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import type { Scope } from '#contracts';
import * as z from 'zod';
import { toInputSchema, toOutputSchema, type JsonSchema } from './core/tool-schema.js';
import {
  MCP_CLASS,
  PROMPT_SPEC,
  RESOURCE_SPEC,
  TOOL_SPEC,
  type PromptAnswer,
  type PromptSpec,
  type ResourceCompleter,
  type ResourceLister,
  type ResourceReader,
  type ResourceSpec,
  type ToolSpec,
} from './declarations.js';
import type { ProtocolToolSpec } from './protocol-tool.js';
import type { ToolCall } from './tool-call.js';

const NAME = /^[a-z0-9_]{1,40}$/;

/** A tool as it is served. */
export interface RegisteredTool {
  readonly name: string;
  readonly scope: Scope | null;
  readonly perWorkspace: boolean;
  readonly input: z.ZodObject;
  /** Null for tools that speak the protocol themselves. */
  readonly output: z.ZodType | null;
  readonly links: NonNullable<ToolSpec['links']> | null;
  /** Whether it changes something, and so takes a `request_id`. */
  readonly takesRequestId: boolean;
  /** As `tools/list` shows it; made once. */
  readonly listed: Tool;
  /** Set when arguments are mirrored in HTTP headers. */
  readonly headerSchema: JsonSchema | undefined;
  readonly invoke: (input: unknown, call: ToolCall, context: ServerContext) => Promise<unknown>;
}

export interface RegisteredResource {
  readonly spec: ResourceSpec;
  readonly template: UriTemplate | null;
  readonly read: ResourceReader;
  readonly list: ResourceLister | null;
  readonly complete: Readonly<Record<string, ResourceCompleter>>;
}

export interface RegisteredPrompt {
  readonly spec: PromptSpec;
  readonly listed: Prompt;
  readonly invoke: (args: unknown, call: ToolCall) => Promise<PromptAnswer>;
}

type Method = (...args: unknown[]) => Promise<unknown>;
type AnyToolSpec = Omit<ToolSpec, 'output' | 'name'> &
  Partial<Pick<ToolSpec, 'output'>> & { readonly name: string } & Pick<ProtocolToolSpec, 'inputSchema'>;

interface Declared {
  readonly spec: { readonly name: string };
  readonly target: object;
  readonly method: Method;
}

/** Owner of what this server offers: every declared tool, resource and prompt, found once at start, in a stable order. */
@Injectable()
export class McpRegistry implements OnModuleInit {
  #tools: ReadonlyMap<string, RegisteredTool> = new Map();
  #resources: ReadonlyMap<string, RegisteredResource> = new Map();
  #prompts: ReadonlyMap<string, RegisteredPrompt> = new Map();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  get tools(): ReadonlyMap<string, RegisteredTool> {
    return this.#tools;
  }

  get resources(): ReadonlyMap<string, RegisteredResource> {
    return this.#resources;
  }

  get prompts(): ReadonlyMap<string, RegisteredPrompt> {
    return this.#prompts;
  }

  onModuleInit(): void {
    // Only the decorator of each kind writes its metadata, so the casts say what it wrote.
    this.#tools = this.#collect(TOOL_SPEC, ({ spec, method }) => toTool(spec as AnyToolSpec, method));
    this.#resources = this.#collect(RESOURCE_SPEC, ({ spec, target, method }) => toResource(spec as ResourceSpec, target, method));
    this.#prompts = this.#collect(PROMPT_SPEC, ({ spec, method }) => toPrompt(spec as PromptSpec, method));
  }

  #collect<Entry>(key: string, toEntry: (declared: Declared) => Entry): ReadonlyMap<string, Entry> {
    const found = new Map<string, Entry>();
    for (const target of this.#instances()) {
      const prototype = Object.getPrototypeOf(target) as Record<string, object>;
      for (const methodName of this.scanner.getAllMethodNames(prototype)) {
        const spec = Reflect.getMetadata(key, prototype[methodName] ?? {}) as Declared['spec'] | undefined;
        if (!spec) continue;
        if (found.has(spec.name)) throw new Error(`${spec.name} is declared twice`);
        try {
          found.set(spec.name, toEntry({ spec, target, method: methodNamed(target, methodName) }));
        } catch (cause) {
          throw new Error(`${spec.name} cannot be served: ${String(cause)}`, { cause });
        }
      }
    }
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #instances(): readonly object[] {
    const instances = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    return instances.filter(
      (instance): instance is object =>
        typeof instance === 'object' && instance !== null && Reflect.hasMetadata(MCP_CLASS, instance.constructor),
    );
  }
}

function methodNamed(target: object, name: string): Method {
  const method = (target as Record<string, unknown>)[name];
  if (typeof method !== 'function') throw new Error(`${target.constructor.name} has no method ${name}`);
  return method.bind(target) as Method; // the decorators have checked its types
}

function toTool(spec: AnyToolSpec, method: Method): RegisteredTool {
  if (spec.output && !NAME.test(spec.name)) throw new Error('a tool name has 1 to 40 of a-z, 0-9 and _');
  const takesRequestId = spec.effect !== 'read';
  const inputSchema = spec.inputSchema ?? toInputSchema(spec.input, takesRequestId);
  return {
    name: spec.name,
    scope: spec.scope,
    perWorkspace: spec.perWorkspace ?? false,
    // An argument that we would not understand must not be lost in silence: it may be a limit with a typing error.
    input: spec.output ? spec.input.strict() : spec.input,
    output: spec.output ?? null,
    links: spec.links ?? null,
    takesRequestId,
    listed: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      inputSchema: inputSchema as Tool['inputSchema'],
      ...(spec.output && { outputSchema: toOutputSchema(spec.output) }),
      annotations: {
        title: spec.title,
        readOnlyHint: spec.effect === 'read',
        destructiveHint: spec.effect === 'destructive',
        idempotentHint: spec.idempotent ?? spec.effect === 'read',
        openWorldHint: spec.openWorld ?? false,
      },
    },
    headerSchema: JSON.stringify(inputSchema).includes('"x-mcp-header"') ? inputSchema : undefined,
    invoke: method,
  };
}

function toResource(spec: ResourceSpec, target: object, method: Method): RegisteredResource {
  const complete = Object.entries(spec.complete ?? {}).map(([variable, name]) => [variable, methodNamed(target, name)] as const);
  return {
    spec,
    template: UriTemplate.isTemplate(spec.uriTemplate) ? new UriTemplate(spec.uriTemplate) : null,
    read: method as unknown as ResourceReader,
    list: spec.list === undefined ? null : (methodNamed(target, spec.list) as unknown as ResourceLister),
    complete: Object.fromEntries(complete) as unknown as Readonly<Record<string, ResourceCompleter>>,
  };
}

function toPrompt(spec: PromptSpec, method: Method): RegisteredPrompt {
  const args = Object.entries(spec.args.shape) as [string, z.ZodType][];
  return {
    spec,
    listed: {
      name: spec.name,
      title: spec.title,
      description: spec.description,
      arguments: args.map(([name, schema]) => ({
        name,
        ...(schema.description !== undefined && { description: schema.description }),
        required: !schema.safeParse(undefined).success,
      })),
    },
    invoke: method as RegisteredPrompt['invoke'],
  };
}
