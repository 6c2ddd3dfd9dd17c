import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Ask, Plan, Principal } from '#contracts';
import { needsInput, type NeedsInput, type Round, type ToolCall } from '#mcp';
import { Clock } from '#platform';
import { Asks } from '#policy';
import * as z from 'zod';
import { ConsoleLinks } from './console-links.js';
import type { RunAnswer } from './terminal.shapes.js';

/** How long one round waits for the person; clients give up after a minute. */
const ROUND_MS = 20_000;
/** Where all rounds are one request of the client, this is all the time there is. */
const SHARED_MS = 45_000;
/** Clients follow about ten rounds; then the caller goes on with terminal_wait. */
const MAX_ROUNDS = 8;
const POLL_AFTER_MS = 2_000;

const State = z.object({
  plan: z.uuid(),
  by: z.enum(['url', 'form']),
  rounds: z.int().min(1).max(MAX_ROUNDS),
  /** When the person was first asked. */
  since: z.int(),
});
const Response = z.object({ action: z.enum(['accept', 'decline', 'cancel']), content: z.unknown().optional() });
const Form = z.object({ decision: z.enum(['approve', 'deny']) });

/** What a caller gets while a plan waits; undefined: the ask has closed, and the plan says how. */
export type Rung = NeedsInput | RunAnswer | undefined;

/**
 * Ways to get a waiting plan in front of a person, strongest first: the console through a URL elicitation, the client's own form
 * for low risk, or the word that it waits. Only the person's vote decides; a client that closes the page has decided nothing.
 */
@Injectable()
export class ApprovalLadder {
  constructor(
    private readonly asks: Asks,
    private readonly links: ConsoleLinks,
    private readonly clock: Clock,
  ) {}

  async climb(plan: Plan, call: ToolCall): Promise<Rung> {
    const ask = plan.askId && (await this.asks.find(plan.askId));
    if (ask?.status !== 'open') return undefined;
    const state = call.round && State.safeParse(call.round.state).data;
    if (call.round && state?.plan === plan.id) return this.#goOn(plan, ask, call, call.round, state);
    if (call.can.url) {
      const message = `${ask.title}: ${ask.summary}\nA person decides this in the console.`;
      const state: z.input<typeof State> = { plan: plan.id, by: 'url', rounds: 1, since: this.clock.now() };
      return needsInput({ url: { message, url: this.links.toAsk(ask.id) ?? '' }, state });
    }
    if (call.can.form && plan.decision.risk === 'low' && mayTryToVote(call.principal, ask)) return askByForm(plan, ask, this.clock.now());
    return this.pending(plan);
  }

  /** The complete answer for clients that cannot be asked, or have waited long enough. */
  pending(plan: Plan): RunAnswer {
    const approvalUrl = this.links.toAsk(plan.askId);
    return {
      status: 'pending_approval',
      session_id: plan.sessionId,
      plan_id: plan.id,
      ...(plan.askId && { ask_id: plan.askId }),
      ...(approvalUrl !== undefined && { approval_url: approvalUrl }),
      expires_at: plan.expiresAt,
      poll_after_ms: POLL_AFTER_MS,
      message: 'A person must approve this plan. Nobody has answered yet. Call terminal_wait, then terminal_execute.',
    };
  }

  async #goOn(plan: Plan, ask: Ask, call: ToolCall, { responses }: Round, { by, rounds, since }: z.output<typeof State>): Promise<Rung> {
    if (by === 'form') return this.#takeForm(plan, ask, call, responses['form']);
    const opened = Response.safeParse(responses['url']);
    if (rounds === 1 && opened.data?.action !== 'accept') return this.pending(plan);
    const left = call.roundsShareRequest ? SHARED_MS - (this.clock.now() - since) : Infinity;
    const { status } = await this.asks.waitClosed(ask.id, Math.max(0, Math.min(ROUND_MS, left)), call.signal);
    if (status !== 'open') return undefined;
    if (rounds >= MAX_ROUNDS || left <= ROUND_MS || call.signal.aborted) return this.pending(plan);
    return needsInput({ state: { plan: plan.id, by, rounds: rounds + 1, since } });
  }

  /** A form is the consent of the client, so it is a vote of the caller, who must be allowed to decide. */
  async #takeForm(plan: Plan, ask: Ask, { principal }: ToolCall, response: unknown): Promise<Rung> {
    const { action, content } = Response.safeParse(response).data ?? { action: 'cancel', content: undefined };
    const form = Form.safeParse(content);
    if (action !== 'accept' || !form.success) return this.pending(plan);
    await this.asks.vote({ askId: ask.id, principal, answer: form.data.decision, digest: ask.digest, reason: null });
    return (await this.asks.find(ask.id))?.status === 'open' ? this.pending(plan) : undefined; // a quorum may want more
  }
}

/** Only then is a form worth showing; the vote itself is checked by its owner. A requester's own client consents to nothing. */
function mayTryToVote(principal: Principal, ask: Ask): boolean {
  return hasScope(principal, 'approvals:decide', ask.workspaceId) && principal.id !== ask.requester && !ask.notRequester;
}

function askByForm(plan: Plan, ask: Ask, since: number): NeedsInput {
  return needsInput({
    form: {
      message: `${ask.title}: ${ask.summary}`,
      schema: {
        type: 'object',
        properties: { decision: { type: 'string', title: 'Run this once?', enum: ['approve', 'deny'] } },
        required: ['decision'],
      },
    },
    state: { plan: plan.id, by: 'form', rounds: 1, since },
  });
}
