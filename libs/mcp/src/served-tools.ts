import { Injectable } from '@nestjs/common';
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Principal } from '#contracts';
import { McpCalls, type Serving } from './calls.js';
import type { Mount } from './mounts.js';
import { McpRegistry, type RegisteredTool } from './registry.js';

/** Owner of what a caller sees as tools at one address, and of finding the one that is called. */
@Injectable()
export class ServedTools {
  readonly #lists = new Map<string, readonly Tool[]>();

  constructor(
    private readonly registry: McpRegistry,
    private readonly calls: McpCalls,
  ) {}

  find(mount: Mount, name: string): RegisteredTool | undefined {
    return mount.offers(name) ? this.registry.tools.get(name) : undefined;
  }

  /** The same for everyone with the same scopes, in the order of names. */
  list(mount: Mount, { scopes }: Principal): readonly Tool[] {
    const key = JSON.stringify([mount.path, [...scopes].sort()]);
    const known = this.#lists.get(key);
    if (known) return known;
    const shown = [...this.registry.tools.values()].filter(
      ({ name, scope }) => mount.offers(name) && (scope === null || scopes.includes(scope)),
    );
    const list = shown.map(({ listed }) => listed);
    this.#lists.set(key, list);
    return list;
  }

  async call(mount: Mount, params: CallToolRequest['params'], serving: Serving): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.find(mount, params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    return this.calls.callTool(tool, params.arguments, serving);
  }
}
