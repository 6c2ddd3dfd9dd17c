import type { Decision, SandboxFacts, Workspace } from '#contracts';

/** What a run may reach, as its decision says: writing and the network are opened only for what was analysed to need them. */
export interface Reach {
  readonly workspaceWritable: boolean;
  readonly gitWritable: boolean;
  readonly network: 'none' | 'open';
}

const CHANGING = ['write', 'delete', 'execute_project_code', 'execute_inline'] as const;

export function reachOf({ stages }: Pick<Decision, 'stages'>): Reach {
  const changes = stages.filter(({ effects, understood }) => !understood || CHANGING.some((effect) => effects.includes(effect)));
  return {
    workspaceWritable: changes.length > 0,
    gitWritable: changes.some(({ tool }) => tool === 'git'),
    network: stages.some(({ effects }) => effects.includes('network')) ? 'open' : 'none',
  };
}

/** What will contain the run: what this machine can do, narrowed to what the run is given. */
export function sandboxFor(machine: SandboxFacts, { network, workspaceWritable }: Reach): SandboxFacts {
  return {
    ...machine,
    network: network === 'open' ? 'open' : machine.network,
    fileSystem: machine.fileSystem === 'open' ? 'open' : workspaceWritable ? 'workspace_write' : 'read_only',
  };
}
