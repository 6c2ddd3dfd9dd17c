import type { SandboxFacts } from '#contracts';
import type { SandboxWish } from '../protocol.js';

/** What contains a run with this wish, on a machine where the default run is contained like `machine`. */
export function sandboxFactsFor(machine: SandboxFacts, wish: Pick<SandboxWish, 'network' | 'workspaceWritable'>): SandboxFacts {
  const fileSystem = machine.fileSystem === 'open' ? 'open' : wish.workspaceWritable ? 'workspace_write' : 'read_only';
  return { ...machine, fileSystem, network: wish.network === 'open' ? 'open' : machine.network };
}
