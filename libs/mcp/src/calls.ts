import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ERRORS, type WireError } from '#contracts';
import { AppError, AppLog } from '#platform';
import { clientCan, type CallFacts } from './call-facts.js';
import { McpChanges } from './changes.js';
import { describeIssues, toInputIssues } from './core/input-issues.js';
import { hasWanted, isInFamilies, type Wanted } from './core/may-use.js';
import { RequestIdSchema } from './core/tool-schema.js';
import { FirstAnswers, type Ended } from './first-answers.js';
import { NeedsInput } from './needs-input.js';
import { openProgress } from './progress.js';
import type { RegisteredTool } from './registry.js';
import { digestOf, type CarriedState } from './request-states.js';
import type { Round, ToolCall } from './tool-call.js';

/** One message on its way through the pipeline. */
export interface Serving {
  readonly facts: CallFacts;
  readonly context: ServerContext;
  readonly codec: RequestStateCodec<CarriedState>;
}

const LAST_CALLS_MS = 5_000;
/** Resource links are an unknown kind of content to older clients. */
const FIRST_WITH_LINKS = '2025-06-18';

type Given = CallToolResult | NeedsInput;

/** The one pipeline of every call: authorise, validate, carry out once, translate errors, log. */
@Injectable()
export class McpCalls implements BeforeApplicationShutdown {
  readonly #open = new Set<Promise<unknown>>();

  constructor(
    private readonly firstAnswers: FirstAnswers,
    private readonly changes: McpChanges,
    private readonly log: AppLog,
  ) {}

  /** What was cancelled by the shutdown may still write down how it ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.settled(), pause(LAST_CALLS_MS)]);
  }

  /** Settles when every call that is at work now has ended. */
  async settled(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }

  async callTool(tool: RegisteredTool, args: unknown, serving: Serving): Promise<CallToolResult | InputRequiredResult> {
    const identity = ['tools/call', tool.name, args ?? {}];
    const round = toRound(serving.context, identity);
    // Answers that a client sends without the state of its question belong to no round of ours.
    const known = tool.output === null || round?.state !== undefined ? round : null;
    const work = (call: ToolCall): Promise<Given> => this.#runTool(tool, args, call, serving);
    const result = await this.#serve<Given>(tool.name, known, serving, work, toRefusal);
    return result instanceof NeedsInput ? this.ask(result, identity, serving) : result;
  }

  /** For resources and prompts: refusals become protocol errors. */
  serve<T>(name: string, identity: unknown, wanted: Wanted, serving: Serving, work: (call: ToolCall) => Promise<T>): Promise<T> {
    const run = async (call: ToolCall): Promise<T> => {
      requireScope(wanted, serving.facts);
      return work(call);
    };
    return this.#serve(name, toRound(serving.context, identity), serving, run, toProtocolError);
  }

  /** Puts a tool's or prompt's question into the protocol's words, with state that only this call can bring back. */
  async ask({ requests, state }: NeedsInput, identity: unknown, { codec, context }: Serving): Promise<InputRequiredResult> {
    const requestState = state === undefined ? undefined : await codec.mint({ state, call: digestOf(identity) }, context);
    return inputRequired({ inputRequests: { ...requests }, ...(requestState !== undefined && { requestState }) });
  }

  async #serve<T>(
    name: string,
    round: Round | null,
    serving: Serving,
    work: (call: ToolCall) => Promise<T>,
    refuse: (error: WireError) => T,
  ): Promise<T> {
    const { context, facts } = serving;
    const startedAt = performance.now();
    const progress = openProgress(context);
    const call: ToolCall = {
      principal: facts.principal,
      signal: context.mcpReq.signal,
      can: clientCan(context, facts),
      round,
      notifyResource: (uri) => {
        this.changes.resourceUpdated(uri);
      },
      ...(progress && { progress: progress.report }),
      ...(context.mcpReq.envelope === undefined && { roundsShareRequest: true }),
    };
    let outcome: string = 'ok';
    const working = work(call);
    this.#open.add(working);
    try {
      const result = await working;
      outcome = outcomeOf(result);
      return result;
    } catch (thrown) {
      if (thrown instanceof ProtocolError) {
        outcome = String(thrown.code);
        throw thrown;
      }
      const error = AppError.toWire(thrown);
      outcome = context.mcpReq.signal.aborted ? 'CANCELLED' : error.code;
      if (outcome === 'INTERNAL') this.log.pino.error({ context: 'Mcp', name, requestId: facts.requestId, err: thrown }, 'call failed');
      return refuse(error);
    } finally {
      progress?.stop();
      this.#open.delete(working);
      const { id, channel } = facts.principal;
      const ms = Math.round(performance.now() - startedAt);
      // The audit line: who called what and how it ended, never with what arguments.
      this.log.pino.info({ context: 'Mcp', name, outcome, principal: id, channel, ms, requestId: facts.requestId }, 'call');
    }
  }

  async #runTool(tool: RegisteredTool, args: unknown, call: ToolCall, serving: Serving): Promise<Given> {
    if (!isInFamilies(call.principal, tool.name)) throw new AppError('TOOL_NOT_ALLOWED', 'This token may not use this tool');
    requireScope(tool, call);
    const { requestId, input } = tool.takesRequestId ? takeRequestId(args) : { requestId: undefined, input: args };
    const parsed = tool.input.safeParse(input ?? {});
    if (!parsed.success) throw inputInvalid(toInputIssues(parsed.error));
    const work = () => this.#invoke(tool, parsed.data, call, serving);
    if (requestId === undefined) return work();
    return this.firstAnswers.once<Given>({
      key: { principal: call.principal.id, tool: tool.name, requestId },
      digest: digestOf(parsed.data),
      signal: call.signal,
      work: () => keepFirst(work),
    });
  }

  async #invoke(tool: RegisteredTool, input: unknown, call: ToolCall, { context, facts }: Serving): Promise<Given> {
    const answer = await tool.invoke(input, call, context);
    if (answer instanceof NeedsInput) return answer;
    if (tool.output === null) return answer as CallToolResult; // the type of `@McpProtocolTool` says so
    const output = tool.output.parse(answer) as Record<string, unknown>; // the registry admits objects only
    return toResult(output, facts.protocolVersion >= FIRST_WITH_LINKS ? (tool.links?.(output) ?? []) : []);
  }
}

/** The state was signed for this caller and method; here it has to belong to the same call as well. */
function toRound({ mcpReq }: ServerContext, identity: unknown): Round | null {
  const carried = mcpReq.requestState<CarriedState>();
  if (carried !== undefined && carried.call !== digestOf(identity)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
  }
  if (carried === undefined && mcpReq.inputResponses === undefined) return null;
  return { state: carried?.state, responses: mcpReq.inputResponses ?? {} };
}

function requireScope(wanted: Wanted, { principal }: Pick<CallFacts, 'principal'>): void {
  if (hasWanted(principal, wanted)) return;
  const { scope } = wanted;
  throw new AppError('SCOPE_MISSING', `This needs the scope ${String(scope)}`, { scope });
}

function takeRequestId(args: unknown): { requestId: string | undefined; input: unknown } {
  if (typeof args !== 'object' || args === null || !('request_id' in args)) return { requestId: undefined, input: args };
  const { request_id, ...input } = args;
  const parsed = RequestIdSchema.safeParse(request_id);
  if (parsed.success) return { requestId: parsed.data, input };
  throw inputInvalid(toInputIssues(parsed.error).map(({ rule }) => ({ path: 'request_id', rule })));
}

function inputInvalid(issues: ReturnType<typeof toInputIssues>): AppError {
  return new AppError('INPUT_INVALID', describeIssues(issues), { issues });
}

/** A refusal that may end otherwise later is not the answer of the request: nothing was done, and the same call may be made again. */
async function keepFirst(work: () => Promise<Given>): Promise<Ended<Given>> {
  try {
    const answer = await work();
    return { answer, keep: !(answer instanceof NeedsInput) };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || ERRORS[thrown.code].retry === 'later') throw thrown;
    return { answer: toRefusal(AppError.toWire(thrown)), keep: true };
  }
}

function toResult(output: Record<string, unknown>, links: readonly { readonly uri: string; readonly name: string }[]): CallToolResult {
  const text = { type: 'text' as const, text: JSON.stringify(output) };
  return { content: [text, ...links.map((link) => ({ type: 'resource_link' as const, ...link }))], structuredContent: output };
}

function toRefusal(error: WireError): CallToolResult {
  return { ...toResult({ error }, []), isError: true };
}

function toProtocolError(error: WireError): never {
  const code = ERRORS[error.code].http >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  throw new ProtocolError(code, error.message, error);
}

function outcomeOf(result: unknown): string {
  if (result instanceof NeedsInput) return 'input_required';
  const { isError, structuredContent } = (result ?? {}) as { isError?: boolean; structuredContent?: { error?: WireError } };
  return isError === true ? (structuredContent?.error?.code ?? 'error') : 'ok';
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
