import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ConnectorActionBody, ConnectorCall, FilePin, Plan, Run, RunId, RunOutcome, SandboxFacts, Workspace } from '#contracts';
import {
  type ActionWish,
  type Asker,
  type KindSignal,
  type PlanKind,
  PlanKinds,
  type PlanRequest,
  type Prepared,
  stricterNow,
} from '#execution';
import { AppError, AppLog } from '#platform';
import { Rulings } from '#policy';
import { ActionRuns } from './action-runs.js';
import { Calls } from './calls.js';
import { canonicalInput, chooseAccount, isSameAccount, previewOf } from './core/actions.js';
import { reportOf } from './core/call-report.js';
import { ACTION_POLICY_VERSION, decideCall, stageOf } from './core/decision.js';
import { type CallAnswer, resultOf } from './core/outcome.js';
import { Connections } from './connections.js';
import { Connectors } from './connectors.js';
import { Discovery } from './discovery.js';

const MAX_INPUT_BYTES = 65_536;
const MAX_OUTPUT_BYTES = 65_536;

/** Nothing of this machine contains a call: it happens elsewhere. */
const ELSEWHERE: SandboxFacts = {
  ...{ kind: 'none', version: null, enforcement: 'none', network: 'hosts' },
  ...{ fileSystem: 'read_only', pidNamespace: false, seccomp: false },
};

/** The plan kind `connector_action`: one action of a service, as one account. */
@Injectable()
export class ConnectorActionKind implements PlanKind, OnModuleInit {
  readonly kind = 'connector_action';
  readonly #stops = new Map<RunId, () => void>();

  constructor(
    private readonly kinds: PlanKinds,
    private readonly connectors: Connectors,
    private readonly discovery: Discovery,
    private readonly connections: Connections,
    private readonly calls: Calls,
    private readonly runs: ActionRuns,
    private readonly rulings: Rulings,
    private readonly log: AppLog,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  async prepare({ action: wish }: PlanRequest, workspace: Workspace, asker: Asker): Promise<Prepared> {
    if (!wish) throw new AppError('INPUT_INVALID', 'Name the action', { paths: ['action'] });
    const { call, timeoutMs } = await this.#call(wish, workspace);
    const decision = await this.#decide(call, workspace, asker);
    const body: ConnectorActionBody = {
      ...{ kind: 'connector_action', command: null, stages: [stageOf(call)], cwd: workspace.root, mode: workspace.mode, env: {} },
      limits: { timeoutMs: Math.min(timeoutMs, decision.limits?.timeoutMs ?? timeoutMs), maxOutputBytes: MAX_OUTPUT_BYTES },
      call,
    };
    const untouched: FilePin = { path: workspace.root, dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 };
    const pins = { cwd: untouched, root: untouched, executables: [], files: [], envNames: [], policyVersion: decision.policyVersion };
    return { body, pins, decision, sandbox: ELSEWHERE };
  }

  /** Connector, account, schema and policy, as they are now. */
  async recheck(plan: Plan, workspace: Workspace): Promise<readonly string[]> {
    const { call } = bodyOf(plan);
    const connector = await this.connectors.open(call.connectorId);
    const isHere = connector?.held.workspaces.includes(workspace.id) === true && connector.held.settings.endpoint.origin === call.origin;
    if (!isHere) return ['connector'];
    const schema = await this.discovery.schema(connector, call.action, undefined, true).catch((thrown: unknown) => {
      if (thrown instanceof AppError && thrown.code === 'ACTION_NOT_FOUND') return undefined;
      throw thrown;
    });
    const changes: string[] = [];
    if (schema?.digest !== call.schemaDigest || schema.route !== call.route) changes.push('schema');
    const accounts = call.account === null ? [] : await this.connections.accounts(connector, call.provider);
    if (!isSameAccount(call.account, accounts)) changes.push('account');
    if (changes.length > 0) return changes;
    const requester = plan.requester && (await this.rulings.again(plan.requester, workspace.id));
    if (!requester) return ['requester'];
    const now = await this.#decide(call, workspace, { requester, sessionId: plan.sessionId });
    const stricter = stricterNow(plan.decision, now);
    return stricter.length > 0 && now.policyVersion !== plan.decision.policyVersion
      ? [`policy:${now.policyVersion}`, ...stricter]
      : stricter;
  }

  dispatch(plan: Plan, _workspace: Workspace, runId: RunId, signal: (signal: KindSignal) => void): void {
    void this.#carry(plan, runId, signal);
  }

  pause(): void {
    // what was sent cannot be held
  }

  resume(): void {
    // it was never held
  }

  /** Leaves the call alone: it cannot be called back, so its outcome is not known from then on. */
  cancel(runId: RunId): void {
    this.#stops.get(runId)?.();
  }

  /** Without a row nothing was sent. With one, whatever changes something may have done so. */
  async lost(plan: Plan, { id, owner }: Run): Promise<RunOutcome> {
    const row = await this.runs.find(id);
    if (!row) return 'interrupted';
    if (row.status !== 'sent') return row.status === 'denied' ? 'failed' : row.status;
    const { effect } = bodyOf(plan).call.effect;
    const result = resultOf({ kind: 'nothing', code: 'network' }, effect);
    await this.runs.end({ runId: id, owner, workspaceId: plan.workspaceId }, result, { kind: 'nothing', code: 'network' });
    return effect === 'read' ? 'interrupted' : 'unknown';
  }

  async #call(wish: ActionWish, workspace: Workspace): Promise<{ readonly call: ConnectorCall; readonly timeoutMs: number }> {
    const connector = await this.connectors.resolve(workspace.id, wish.connector);
    const input = canonicalInput(wish.input, MAX_INPUT_BYTES);
    if (!input) throw new AppError('ACTION_INPUT_INVALID', 'The input is a JSON object of at most 64 KiB');
    const { schema, guide } = await this.discovery.look(connector, wish.action, true);
    const provider = schema.row.service;
    const accounts = await this.connections.accounts(connector, provider);
    const own = (await this.connectors.defaults(connector.held.id)).get(provider) ?? null;
    const chosen = chooseAccount(accounts, wish.account, own, schema.row.needsAccount);
    if ('refusal' in chosen) throw new AppError(chosen.refusal, ACCOUNT_WORDS[chosen.refusal], { provider });
    const { settings, id } = connector.held;
    const { endpoint } = settings;
    const call: ConnectorCall = {
      ...{ connectorId: id, connectorName: settings.name, origin: endpoint.origin, mode: endpoint.mode, provider },
      ...{ action: schema.facts.id, account: chosen.account, input: input.text, inputDigest: input.digest },
      ...{ schemaDigest: schema.digest, effect: schema.row.effect, scopes: schema.facts.requiredScopes, route: schema.route },
      preview: previewOf(guide.capability),
    };
    return { call, timeoutMs: settings.toolCallTimeoutMs };
  }

  #decide(call: ConnectorCall, workspace: Workspace, asker: Asker): ReturnType<Rulings['rule']> {
    const { connectorId, connectorName, provider, action, effect } = call;
    const asked = { connectorId, connectorName, provider, action, effect: effect.effect };
    const { mode, root: cwd } = workspace;
    const base = decideCall(call, mode, ACTION_POLICY_VERSION);
    return this.rulings.rule(base, [stageOf(call)], { workspace, ...asker, mode, cwd, action: asked });
  }

  async #carry(plan: Plan, runId: RunId, signal: (signal: KindSignal) => void): Promise<void> {
    const body = bodyOf(plan);
    const conclude = (answer: CallAnswer): void => {
      const report = reportOf(body.call, runId, resultOf(answer, body.call.effect.effect), answer);
      signal({ type: 'concluded', runId, ...report });
    };
    const ready = await this.#begin(plan, body, runId);
    if (!ready) {
      conclude({ kind: 'nothing', code: 'not_sent' });
      return;
    }
    const sent = this.calls.send(ready, body.call, runId);
    const answer = await this.#first(sent, body.limits.timeoutMs, runId);
    const { owner, workspaceId } = plan;
    try {
      await this.runs.end({ runId, owner, workspaceId }, resultOf(answer, body.call.effect.effect), answer);
    } catch (error) {
      this.log.error(`The end of the call ${runId} could not be written`, error, ConnectorActionKind.name);
    }
    conclude(answer);
  }

  /** The connector as it was looked at, and a durable word that something is about to be sent. Undefined: nothing is. */
  async #begin(plan: Plan, body: ConnectorActionBody, runId: RunId) {
    try {
      const connector = await this.connectors.open(body.call.connectorId);
      if (connector?.held.settings.endpoint.origin !== body.call.origin) return undefined;
      const { suggestion } = await this.discovery.schema(connector, body.call.action);
      await this.runs.begin(plan, body, runId, suggestion);
      return connector;
    } catch (error) {
      this.log.error(`The call ${runId} could not be begun`, error, ConnectorActionKind.name);
      return undefined;
    }
  }

  /** The answer, or the end of the run's time. What comes later is written down as a finding; the call itself goes on. */
  async #first(sent: Promise<CallAnswer>, timeoutMs: number, runId: RunId): Promise<CallAnswer> {
    let isOver = false;
    const over = new Promise<CallAnswer>((resolve) => {
      const giveUp = (): void => resolve({ kind: 'nothing', code: 'timeout' });
      const timer = setTimeout(giveUp, timeoutMs);
      this.#stops.set(runId, giveUp);
      void sent.then(() => clearTimeout(timer));
    });
    void sent.then((late) => (isOver ? this.runs.answeredLate(runId, late).catch(() => undefined) : undefined)); // the server may be gone
    const answer = await Promise.race([sent, over]);
    isOver = true;
    this.#stops.delete(runId);
    return answer;
  }
}

const ACCOUNT_WORDS = {
  ACCOUNT_NOT_FOUND: 'No such account is connected',
  ACCOUNT_AMBIGUOUS: 'Several accounts are connected and none is the default; name one',
} as const;

function bodyOf({ body }: Plan): ConnectorActionBody {
  if (body.kind !== 'connector_action') throw new Error('Not an action of a connector');
  return body;
}
