import { Injectable } from '@nestjs/common';
import { seesWorkIn } from '#contracts';
import type { ActionRun, ConnectorActionBody, Finding, Plan, Principal, RunId } from '#contracts';
import { Plans, UnknownOutcomes } from '#execution';
import { AppError, Clock, EventFeed } from '#platform';
import { Calls } from './calls.js';
import { resultOf, resultOfRun, type CallAnswer, type CallResult } from './core/outcome.js';
import { Connectors } from './connectors.js';
import { ActionRunRepository, type ActionRunFilter } from './ports.js';

const MOST_FINDINGS = 20;

/** Owner of calls that were sent, and of what is found out about those whose outcome nobody knows. */
@Injectable()
export class ActionRuns {
  constructor(
    private readonly rows: ActionRunRepository,
    private readonly connectors: Connectors,
    private readonly calls: Calls,
    private readonly plans: Plans,
    private readonly outcomes: UnknownOutcomes,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  async page(principal: Principal, filter: ActionRunFilter): Promise<readonly ActionRun[]> {
    return (await this.rows.page(filter)).filter((run) => maySee(principal, run));
  }

  async get(principal: Principal, id: RunId): Promise<ActionRun> {
    const run = await this.rows.find(id);
    if (!run || !maySee(principal, run)) throw new AppError('ACTION_RUN_NOT_FOUND', 'No such call', { runId: id });
    return run;
  }

  find(id: RunId): Promise<ActionRun | undefined> {
    return this.rows.find(id);
  }

  /** Durable before anything is sent: after a crash this row is how it is known that something may have been. */
  async begin(plan: Plan, body: ConnectorActionBody, runId: RunId, suggestion: string | null): Promise<void> {
    const { connectorId, provider, action, account, effect } = body.call;
    const run: ActionRun = {
      ...{ runId, planId: plan.id, workspaceId: plan.workspaceId, owner: plan.owner, connectorId, provider, action },
      ...{ account: account?.label ?? null, effect: effect.effect, status: 'sent', code: null, executionId: null, auditPersisted: null },
      ...{ findings: [], suggestion, sentAt: this.clock.now(), endedAt: null, resolution: null },
    };
    await this.feed.write(async (tx, append) => {
      await this.rows.insert(tx, run);
      await append(scopeOf(run), { type: 'action_run.changed', runId, status: 'sent' });
    });
  }

  async end(run: Pick<ActionRun, 'runId' | 'owner' | 'workspaceId'>, { outcome, code }: CallResult, answer: CallAnswer): Promise<void> {
    const came = answer.kind === 'answer' ? answer : undefined;
    const end = { status: outcome, code, executionId: came?.executionId ?? null, auditPersisted: came?.auditPersisted ?? null };
    await this.feed.write(async (tx, append) => {
      if (!(await this.rows.end(tx, run.runId, { ...end, endedAt: this.clock.now() }))) return;
      await append(scopeOf(run), { type: 'action_run.changed', runId: run.runId, status: outcome });
    });
  }

  /** What came after the run had ended, in our words. A person reads it; by itself it settles nothing. */
  async answeredLate(id: RunId, answer: CallAnswer): Promise<void> {
    const run = await this.rows.find(id);
    if (!run) return;
    const executionId = answer.kind === 'answer' ? answer.executionId : null;
    await this.#note(run, { kind: answer.kind === 'answer' ? 'answer' : 'silence', text: said(answer, run), executionId });
  }

  /** Looks, when a person wants it: into the connector's log, and by asking with the same key for what it has kept. */
  async look(principal: Principal, id: RunId): Promise<ActionRun> {
    const run = await this.#unsettled(principal, id);
    const connector = await this.connectors.open(run.connectorId);
    const { body } = await this.plans.getToAct(principal, run.planId);
    if (!connector || body.kind !== 'connector_action') throw new AppError('CONNECTOR_NOT_FOUND', 'The connector is gone');
    let { executionId } = run;
    if (connector.held.settings.endpoint.mode === 'self-hosted' && body.call.route === 'http') {
      const answer = await this.calls.ask(connector, body.call, id);
      executionId ??= answer.kind === 'answer' ? answer.executionId : null;
      await this.#note(run, { kind: 'replay', text: said(answer, run), executionId });
    }
    const logged = executionId === null ? undefined : await this.calls.logged(connector, executionId);
    if (logged) {
      const result = resultOfRun(logged);
      const text = result ? `The connector's log says: ${result.outcome} (${result.code})` : "The connector's log does not tell either";
      await this.#note(await this.get(principal, id), { kind: 'run_log', text, executionId: logged.executionId });
    }
    return this.get(principal, id);
  }

  /** What a person has found out. It leaves a second receipt, and holds for ever. */
  async settle(by: Principal, id: RunId, outcome: 'succeeded' | 'failed', note: string): Promise<ActionRun> {
    const run = await this.#unsettled(by, id);
    const details = {
      ...{ connector_id: run.connectorId, provider: run.provider, action: run.action, execution_id: run.executionId },
      findings: run.findings.map(({ kind, text }) => `${kind}: ${text}`),
    };
    await this.outcomes.settle(by, run.planId, { outcome, note, details }, async (tx, append, receiptId) => {
      const resolution = { outcome, by: by.name, note, at: this.clock.now(), receiptId };
      if (!(await this.rows.settle(tx, id, resolution))) throw settledAlready(id);
      await append(scopeOf(run), { type: 'action_run.changed', runId: id, status: 'unknown' });
    });
    return this.get(by, id);
  }

  async #unsettled(principal: Principal, id: RunId): Promise<ActionRun> {
    const run = await this.get(principal, id);
    if (run.status !== 'unknown' || run.resolution !== null) throw settledAlready(id);
    return run;
  }

  async #note(run: ActionRun, finding: Omit<Finding, 'at'>): Promise<void> {
    const now = (await this.rows.find(run.runId)) ?? run;
    const findings = [...now.findings, { ...finding, at: this.clock.now() }].slice(-MOST_FINDINGS);
    await this.feed.write(async (tx, append) => {
      await this.rows.note(tx, run.runId, findings);
      await append(scopeOf(run), { type: 'action_run.changed', runId: run.runId, status: now.status });
    });
  }
}

function said(answer: CallAnswer, { effect }: ActionRun): string {
  if (answer.kind === 'nothing') return `No answer (${answer.code})`;
  const { outcome, code } = resultOf(answer, effect);
  return outcome === 'unknown' ? `An answer that does not tell (${code})` : `The connector answered: ${outcome} (${code})`;
}

function settledAlready(id: RunId): AppError {
  return new AppError('ACTION_RUN_SETTLED', 'What came of this call is known', { runId: id });
}

function scopeOf({ owner, workspaceId }: Pick<ActionRun, 'owner' | 'workspaceId'>) {
  return { owner, sessionId: null, workspaceId };
}

function maySee(principal: Principal, { owner, workspaceId }: Pick<ActionRun, 'owner' | 'workspaceId'>): boolean {
  return principal.id === owner || seesWorkIn(principal, workspaceId);
}
