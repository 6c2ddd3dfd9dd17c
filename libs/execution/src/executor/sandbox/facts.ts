import type { SandboxFacts } from '#contracts';
import type { SandboxWish } from '../protocol.js';

/** What contains a run with this wish, on a machine where the default run is contained like `machine`. */
export function sandboxFactsFor(machine: SandboxFacts, wish: Pick<SandboxWish, 'network' | 'workspaceWritable'>): SandboxFacts {
  const fileSystem = machine.fileSystem === 'open' ? 'open' : wish.workspaceWritable ? 'workspace_write' : 'read_only';
  return { ...machine, fileSystem, network: networkFor(machine, wish) };
}

/** Only an own network namespace leads to the proxy and nowhere else. */
function networkFor(machine: SandboxFacts, { network }: Pick<SandboxWish, 'network'>): SandboxFacts['network'] {
  if (network === 'none' || network.length === 0) return machine.network;
  return machine.kind === 'bwrap' && machine.network === 'none' ? 'hosts' : 'open';
}
