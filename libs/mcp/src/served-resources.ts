import { Injectable } from '@nestjs/common';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type CompleteRequest,
  type CompleteResult,
  type ListResourcesResult,
  type ReadResourceResult,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { ERRORS, type Principal } from '#contracts';
import { AppError } from '#platform';
import { McpCalls, type Serving } from './calls.js';
import { hasWanted } from './core/may-use.js';
import type { ResourceContent, ResourceVariables } from './declarations.js';
import { McpRegistry, type RegisteredResource } from './registry.js';
import type { ToolCall } from './tool-call.js';

const MAX_URI = 8_192;
const MAX_COMPLETIONS = 100;

interface Found {
  readonly resource: RegisteredResource;
  readonly variables: ResourceVariables;
}

/** Owner of what a caller sees as resources: lists, templates, reading, completion. What it may not see is not found. */
@Injectable()
export class ServedResources {
  constructor(
    private readonly registry: McpRegistry,
    private readonly calls: McpCalls,
  ) {}

  async list(serving: Serving): Promise<ListResourcesResult> {
    const shown = this.#shownTo(serving.facts.principal);
    const fixed = shown.filter(({ template }) => template === null).map(({ spec }) => describe(spec, { uri: spec.uriTemplate }));
    const resources = await this.calls.serve('resources/list', ['resources/list'], { scope: null }, serving, async (call) => {
      const lists = shown.map(async ({ spec, list }) =>
        list ? (await list(call)).map((found) => ({ mimeType: spec.mimeType, ...found })) : [],
      );
      return (await Promise.all(lists)).flat();
    });
    return { resources: [...fixed, ...resources] };
  }

  templates(principal: Principal): ResourceTemplateType[] {
    const shown = this.#shownTo(principal).filter(({ template }) => template !== null);
    return shown.map(({ spec }) => describe(spec, { uriTemplate: spec.uriTemplate }));
  }

  read(uri: string, serving: Serving): Promise<ReadResourceResult> {
    const found = this.#find(uri);
    if (!found) throw new ResourceNotFoundError(uri);
    const { spec } = found.resource;
    return this.calls.serve(`resource ${spec.name}`, ['resources/read', uri], spec, serving, (call) => readAs(uri, found, call));
  }

  async complete({ ref, argument }: CompleteRequest['params'], serving: Serving): Promise<CompleteResult> {
    if (ref.type === 'ref/prompt') {
      if (this.registry.prompts.has(ref.name)) return { completion: { values: [] } };
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${ref.name} not found`);
    }
    const resource = [...this.registry.resources.values()].find(({ spec }) => spec.uriTemplate === ref.uri);
    if (!resource) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource template ${ref.uri} not found`);
    const complete = resource.complete[argument.name];
    if (!complete) return { completion: { values: [] } };
    const values = await this.calls.serve('completion/complete', ['completion/complete'], resource.spec, serving, (call) =>
      complete(argument.value, call),
    );
    return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore: values.length > MAX_COMPLETIONS } };
  }

  /** Whether a caller may hear of changes at an address: only where it may read now. */
  async canRead(uri: string, call: ToolCall): Promise<boolean> {
    const found = this.#find(uri);
    if (!found) return false;
    if (!hasWanted(call.principal, found.resource.spec)) return false;
    return readAs(uri, found, call).then(
      () => true,
      () => false, // whatever the reason: what cannot be read cannot be followed
    );
  }

  /** The scope of what stands at an address; undefined when nothing does. */
  scopeAt(uri: string): RegisteredResource['spec']['scope'] | undefined {
    return this.#find(uri)?.resource.spec.scope;
  }

  #shownTo(principal: Principal): readonly RegisteredResource[] {
    return [...this.registry.resources.values()].filter(({ spec }) => hasWanted(principal, spec));
  }

  #find(uri: string): Found | undefined {
    if (uri.length > MAX_URI) return undefined;
    for (const resource of this.registry.resources.values()) {
      if (resource.template === null) {
        if (resource.spec.uriTemplate === uri) return { resource, variables: {} };
        continue;
      }
      const variables = resource.template.match(uri);
      if (variables) return decode(resource, variables);
    }
    return undefined;
  }
}

function describe<Address>({ name, title, description, mimeType }: RegisteredResource['spec'], address: Address) {
  return { ...address, name, title, description, mimeType };
}

function decode(resource: RegisteredResource, variables: Readonly<Record<string, string | string[]>>): Found | undefined {
  try {
    const decoded = Object.entries(variables).map(([name, value]) => [name, decodeURIComponent(String(value))] as const);
    return { resource, variables: Object.fromEntries(decoded) };
  } catch {
    return undefined; // a broken percent code names nothing
  }
}

async function readAs(uri: string, { resource, variables }: Found, call: ToolCall): Promise<ReadResourceResult> {
  const content = await resource.read(variables, call).catch((thrown: unknown) => {
    throw thrown instanceof AppError && ERRORS[thrown.code].http === 404 ? new ResourceNotFoundError(uri) : thrown;
  });
  return { contents: [{ uri, mimeType: content.mimeType ?? resource.spec.mimeType, ...bodyOf(content) }] };
}

function bodyOf(content: ResourceContent): { text: string } | { blob: string } {
  return 'text' in content ? { text: content.text } : { blob: Buffer.from(content.blob).toString('base64') };
}
