import { Injectable } from '@nestjs/common';
import { hasScope } from '#contracts';
import type { Principal, Scope, Workspace } from '#contracts';
import { Workspaces } from '#execution';
import { AppError } from '#platform';
import { ConnectedHosts, type ConnectedHost } from './connected-hosts.js';

/** Which folders the relay works in, and for whom. A session outside of every registered folder is not there. */
@Injectable()
export class RelayWorkspaces {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly hosts: ConnectedHosts,
  ) {}

  async allFor(principal: Principal, scope: Scope): Promise<readonly Workspace[]> {
    return (await this.workspaces.list()).filter(({ id }) => hasScope(principal, scope, id));
  }

  /** By id, canonical path or title. A workspace that is not the caller's and no workspace look the same. */
  async resolve(principal: Principal, reference: string, scope: Scope): Promise<Workspace> {
    const all = await this.workspaces.list();
    const path = reference.length > 1 ? reference.replace(/\/+$/u, '') : reference;
    const found = all.find(({ id, root, name }) => id === reference || root === path || name === reference);
    if (!found || !(hasScope(principal, scope, found.id) || hasScope(principal, 'relay:read', found.id)))
      throw new AppError('WORKSPACE_NOT_FOUND', 'No such workspace; dsh_list_workspaces tells which there are', { workspace: reference });
    requireScope(principal, scope, found);
    this.workspaces.assertPresent(found);
    return found;
  }

  /** The workspace that a folder lies in: the innermost registered one. */
  async of(cwd: string): Promise<Workspace | undefined> {
    const around = (await this.workspaces.list()).filter(({ root }) => cwd === root || cwd.startsWith(`${root}/`));
    return around.toSorted((a, b) => b.root.length - a.root.length)[0];
  }

  /** A connected host that works there and can do what is needed. */
  hostFor({ root }: Workspace): ConnectedHost {
    const host = this.hosts.forWorkspace(root);
    if (!host) throw new AppError('HOST_UNAVAILABLE', 'No agent host works in this workspace');
    if (host.state !== 'connected')
      throw new AppError('HOST_UNAVAILABLE', `The agent host ${host.name} is ${host.state}`, { host: host.name });
    return host;
  }

  /** The host has to know a folder before it works there. */
  async admit(host: ConnectedHost, { root, name }: Workspace): Promise<void> {
    if (host.facts?.abilities.includes('workspaces') === true) await host.driver.registerWorkspace(root, name);
    else if (host.kind !== 'acp')
      throw new AppError('WORKSPACE_REGISTRY_UNAVAILABLE', `The agent host ${host.name} tells nothing of its workspaces`);
  }
}

export function requireScope(principal: Principal, scope: Scope, { id, name }: Pick<Workspace, 'id' | 'name'>): void {
  if (!hasScope(principal, scope, id)) throw new AppError('SCOPE_MISSING', `This needs the scope ${scope} in workspace ${name}`, { scope });
}
