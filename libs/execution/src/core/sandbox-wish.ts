import type { Decision, Stage, StageFacts } from '#contracts';
import { gitWrites } from '#policy/core';

/** What a run may reach, as its decision says: writing and the network are opened only for what was analysed to need them. */
export interface Reach {
  readonly workspaceWritable: boolean;
  readonly gitWritable: boolean;
  readonly network: 'none' | readonly string[];
  /** Nothing is written but what the analysis saw. */
  readonly analysed: boolean;
  /** Paths that stay writable although they are protected, because a person has approved a plan that names them. */
  readonly unprotected: readonly string[];
}

const RUNS_CODE = ['execute_project_code', 'execute_inline'] as const;
const CHANGING = ['write', 'delete', ...RUNS_CODE] as const;

export function reachOf(
  { stages, outcome }: Pick<Decision, 'stages' | 'outcome'>,
  words: readonly Pick<Stage, 'argv'>[],
  hosts: readonly string[],
): Reach {
  const changes = stages.some(({ effects, understood }) => !understood || CHANGING.some((effect) => effects.includes(effect)));
  return {
    workspaceWritable: changes,
    gitWritable: changes && words.some(({ argv }) => argv.some((word) => word.includes('git')) && gitWrites(argv)),
    network: hosts.length > 0 ? hosts : 'none',
    analysed: stages.every(({ effects, understood }) => understood && !RUNS_CODE.some((effect) => effects.includes(effect))),
    unprotected: outcome === 'ask' ? stages.flatMap(written) : [],
  };
}

/** Policy wants containment, or a bound on the network that only a full sandbox keeps where code of others runs. */
export function needsFullSandbox({ stages, limits }: Pick<Decision, 'stages' | 'limits'>): boolean {
  const runsCode = stages.some(({ effects }) => RUNS_CODE.some((effect) => effects.includes(effect)));
  return limits?.sandboxRequired === true || (limits?.hosts !== undefined && runsCode);
}

function written({ touches }: StageFacts): readonly string[] {
  return touches.filter(({ kind, role }) => kind === 'path' && (role === 'write' || role === 'delete')).map(({ target }) => target);
}
