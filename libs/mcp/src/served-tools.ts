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
import { hasWanted, isInFamilies } from './core/may-use.js';
import type { Mount } from './mounts.js';
import { McpRegistry, type RegisteredTool } from './registry.js';

/** Callers differ in few ways; whoever makes more of them costs a list each. */
const MAX_LISTS = 256;

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
  list(mount: Mount, principal: Principal): readonly Tool[] {
    const { scopes, workspaceScopes, toolFamilies } = principal;
    const key = JSON.stringify([
      mount.path,
      [...scopes].sort(),
      Object.values(workspaceScopes ?? {})
        .flat()
        .sort(),
      toolFamilies,
    ]);
    const known = this.#lists.get(key);
    if (known) return known;
    const shown = [...this.registry.tools.values()].filter(
      (tool) => mount.offers(tool.name) && isInFamilies(principal, tool.name) && hasWanted(principal, tool),
    );
    const list = shown.map(({ listed }) => listed);
    if (this.#lists.size >= MAX_LISTS) this.#lists.clear();
    this.#lists.set(key, list);
    return list;
  }

  async call(mount: Mount, params: CallToolRequest['params'], serving: Serving): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.find(mount, params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    return this.calls.callTool(tool, params.arguments, serving);
  }
}
