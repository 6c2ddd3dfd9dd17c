import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Principal } from '#contracts';
import { AppError, ServerInfo } from '#platform';
import { ConnectedHosts, type ConnectedHost } from './connected-hosts.js';
import { OpenAsks } from './open-asks.js';
import { RelayWorkspaces } from './relay-workspaces.js';
import { SessionBoard } from './session-board.js';
import { Stops } from './stops.js';

/** Names of credentials that hosts may have; only whether they are set is asked. */
const NAMES = ['DEEPSEEK_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];

/** Tells how the relay and its hosts stand. */
@Injectable()
export class RelayHealth {
  constructor(
    private readonly hosts: ConnectedHosts,
    private readonly board: SessionBoard,
    private readonly open: OpenAsks,
    private readonly places: RelayWorkspaces,
    private readonly stops: Stops,
    private readonly info: ServerInfo,
  ) {}

  async of(principal: Principal) {
    const hosts = this.hosts.all();
    const sessions = this.board.all();
    const seen = (await this.places.allFor(principal, 'relay:read')).map(({ id }) => id);
    return {
      status: hosts.some(({ state }) => state === 'connected') ? 'ok' : 'no_host',
      version: this.info.version,
      hosts: hosts.map((host) => this.#host(host)),
      capabilities: {
        autoApproveEscalations: hosts.some(({ autoApproveEscalations }) => autoApproveEscalations),
        goals: hosts.some(({ facts }) => facts?.abilities.includes('goals') === true),
        questions: hosts.some(({ facts }) => facts?.abilities.includes('questions') === true),
        webSurface: true,
      },
      sessions: { known: sessions.length, live: sessions.filter(({ session }) => session.status !== null).length },
      waiting: this.open.all().filter(({ workspaceId }) => workspaceId !== null && seen.includes(workspaceId)).length,
      stopped: (await this.stops.list())
        .filter(({ workspaceId }) => workspaceId === null || seen.includes(workspaceId))
        .map(({ workspaceId, byName, reason, at }) => ({ workspace_id: workspaceId, by: byName, reason, at: new Date(at).toISOString() })),
    };
  }

  async workspaces(principal: Principal) {
    const found = await this.places.allFor(principal, 'relay:read');
    const lacking = this.hosts
      .all()
      .find(({ state, kind, facts }) => state === 'connected' && kind !== 'acp' && facts?.abilities.includes('workspaces') !== true);
    if (lacking && this.hosts.all().length === 1)
      throw new AppError('WORKSPACE_REGISTRY_UNAVAILABLE', `The agent host ${lacking.name} tells nothing of its workspaces`);
    return found.map(({ id, name, root, mode }) => {
      const host = this.hosts.forWorkspace(root);
      return {
        id,
        title: name,
        path: root,
        mode,
        host: host ? { name: host.name, state: host.state } : null,
        may_drive: hasScope(principal, 'relay:drive', id),
      };
    });
  }

  async credentials() {
    const connected = this.hosts
      .all()
      .filter(({ state, facts }) => state === 'connected' && facts?.abilities.includes('credentials') === true);
    const told = await Promise.all(
      connected.map(async ({ name, driver }) => (await driver.credentials(NAMES)).map((credential) => ({ host: name, ...credential }))),
    );
    return told.flat();
  }

  #host({ id, name, kind, state, facts, autoApproveEscalations }: ConnectedHost) {
    return {
      id,
      name,
      kind,
      state,
      auto_approve_escalations: autoApproveEscalations,
      abilities: facts?.abilities ?? [],
      limits: facts?.limits ?? [],
      seams: facts?.seams ?? {},
      host_version: facts?.version ?? null,
    };
  }
}
