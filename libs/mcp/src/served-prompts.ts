import { Injectable } from '@nestjs/common';
import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
} from '@modelcontextprotocol/server';
import type { Principal } from '#contracts';
import { McpCalls, type Serving } from './calls.js';
import { describeIssues, toInputIssues } from './core/input-issues.js';
import { hasWanted, type Wanted } from './core/may-use.js';
import type { PromptAnswer } from './declarations.js';
import { NeedsInput } from './needs-input.js';
import { McpRegistry, type RegisteredPrompt } from './registry.js';

/** Owner of what a caller sees as prompts. */
@Injectable()
export class ServedPrompts {
  constructor(
    private readonly registry: McpRegistry,
    private readonly calls: McpCalls,
  ) {}

  find(name: string): RegisteredPrompt | undefined {
    return this.registry.prompts.get(name);
  }

  list(principal: Principal): readonly Prompt[] {
    const shown = [...this.registry.prompts.values()].filter(({ spec }) => hasWanted(principal, wantedOf(spec)));
    return shown.map(({ listed }) => listed);
  }

  async get({ name, arguments: given }: GetPromptRequest['params'], serving: Serving): Promise<GetPromptResult | InputRequiredResult> {
    const prompt = this.find(name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
    const parsed = prompt.spec.args.safeParse(given ?? {});
    if (!parsed.success) throw new ProtocolError(ProtocolErrorCode.InvalidParams, describeIssues(toInputIssues(parsed.error)));
    const identity = ['prompts/get', name, given ?? {}];
    const answer = await this.calls.serve(`prompt ${name}`, identity, wantedOf(prompt.spec), serving, (call) =>
      prompt.invoke(parsed.data, call),
    );
    return answer instanceof NeedsInput ? this.calls.ask(answer, identity, serving) : toResult(prompt, answer);
  }
}

function wantedOf({ scope, perWorkspace }: RegisteredPrompt['spec']): Wanted {
  return { scope: scope ?? null, perWorkspace };
}

function toResult({ spec }: RegisteredPrompt, answer: Exclude<PromptAnswer, NeedsInput>): GetPromptResult {
  const messages = typeof answer === 'string' ? [{ role: 'user' as const, content: { type: 'text' as const, text: answer } }] : [...answer];
  return { description: spec.description, messages };
}
