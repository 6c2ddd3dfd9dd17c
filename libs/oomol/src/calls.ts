import { Injectable } from '@nestjs/common';
import type { ConnectorCall, RunId } from '#contracts';
import { readBare } from './core/answers.js';
import { readHttpCall, readToolCall } from './core/call-answer.js';
import { type CallAnswer, mayRetry, readRun, type LoggedRun } from './core/outcome.js';
import type { OpenConnector } from './connectors.js';
import { ConnectorWire } from './ports.js';
import { ConnectorStatuses } from './statuses.js';

/** How long an answer is waited for after its run has ended: the call is never broken off. */
const LATEST_MS = 900_000;
const LOG_MS = 10_000;
const READ_RETRIES_MS = [500, 2_000] as const;

/** Sends calls of actions. One that may change something is sent once, whatever comes of it. */
@Injectable()
export class Calls {
  constructor(
    private readonly wire: ConnectorWire,
    private readonly statuses: ConnectorStatuses,
  ) {}

  async send(connector: OpenConnector, call: ConnectorCall, runId: RunId): Promise<CallAnswer> {
    for (const waitMs of READ_RETRIES_MS) {
      const answer = await this.#once(connector, call, runId);
      if (!mayRetry(answer, call.effect.effect)) return answer;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    return this.#once(connector, call, runId);
  }

  /**
   * Asks with the key of a call for what became of it. What the connector has kept it answers again; a call that never reached it is
   * carried out then, for the first time.
   */
  ask(connector: OpenConnector, call: ConnectorCall, runId: RunId): Promise<CallAnswer> {
    return this.#http(connector, call, runId);
  }

  /** What the connector's own log says, where we may look. Only runs that are over stand in it. */
  async logged(connector: OpenConnector, executionId: string): Promise<LoggedRun | undefined> {
    if (connector.adminToken === undefined) return undefined;
    const request = { method: 'GET' as const, path: `/api/runs/${encodeURIComponent(executionId)}` };
    const read = readBare(await this.wire.send({ ...connector.target, key: connector.adminToken }, request, { timeoutMs: LOG_MS }));
    return read.ok ? readRun(read.data) : undefined;
  }

  async #once(connector: OpenConnector, call: ConnectorCall, runId: RunId): Promise<CallAnswer> {
    const answer = await (call.route === 'http' ? this.#http(connector, call, runId) : this.#tool(connector, call));
    const isVague = answer.kind === 'answer' && answer.code === 'authorization_failed' && answer.hasConnection === null;
    if (!isVague || answer.executionId === null) return answer;
    const logged = await this.logged(connector, answer.executionId); // only there it is said whether an account was reached
    return logged ? { ...answer, hasConnection: logged.hasConnection } : answer;
  }

  async #http(connector: OpenConnector, { action, account, input }: ConnectorCall, runId: RunId): Promise<CallAnswer> {
    const alias = account === null ? undefined : (account.connectionName ?? undefined);
    const parsed: unknown = JSON.parse(input);
    const body = { input: parsed, ...(alias !== undefined && { connectionName: alias }) };
    const answer = await this.wire.send(
      connector.target,
      { method: 'POST', path: `/v1/actions/${encodeURIComponent(action)}`, body },
      { timeoutMs: LATEST_MS, headers: { 'idempotency-key': runId, ...(alias !== undefined && { 'x-oo-connector-alias': alias }) } },
    );
    return answer.failure === undefined ? readHttpCall(answer) : { kind: 'nothing', code: answer.failure };
  }

  async #tool(connector: OpenConnector, { action, account, input }: ConnectorCall): Promise<CallAnswer> {
    const session = await this.statuses.session(connector).catch(() => undefined);
    if (!session) return { kind: 'nothing', code: 'not_sent' };
    const parsed: unknown = JSON.parse(input);
    const wish = { actionId: action, input: parsed, ...(account?.connectionName != null && { connectionName: account.connectionName }) };
    try {
      return readToolCall(await session.call('execute_action', wish, LATEST_MS));
    } catch {
      return { kind: 'nothing', code: 'network' }; // whatever was thrown, the call may have gone out
    }
  }
}
