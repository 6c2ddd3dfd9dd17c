import type { AskFamily, Plan, StageFacts, Stage } from '#contracts';
import { canonicalJson, sha256Hex } from '#receipts/core';
import { lexicalPath } from '../paths/resolve.js';
import { unlearnable } from './learn.js';

export type Family = AskFamily | { readonly refusal: string };

type Familiar = Pick<Plan, 'body' | 'pins' | 'decision' | 'workspaceId'>;

/**
 * What commands have in common that one remembered approval counts for. As narrow as it can be and still save a
 * question: the same words, where only files and only within the same folder may differ; the same programs and scripts
 * by content; the same folder, mode, variables, effects and findings; and the same rules of the team that speak of it.
 */
export function familyOf({ body, pins, decision, workspaceId }: Familiar): Family {
  const refusal = refusalOf(decision);
  if (refusal !== null) return { refusal };
  const { cwd, mode, env, stages, limits } = body;
  const shape = {
    workspaceId,
    cwd,
    mode,
    env,
    limits,
    stages: stages.map((stage, at) => shapeOf(stage, decision.stages[at], decision.base?.findings[at] ?? [], cwd)),
    programs: pins.executables.map((pin) => pin && { path: pin.path, size: pin.size, mtimeMs: pin.mtimeMs, sha256: pin.sha256 ?? null }),
    files: pins.files.map(({ path, sha256 = null }) => ({ path, sha256 })),
    team: decision.rules.filter((rule) => rule.startsWith('document:')).sort(),
    // What a script says stands in its reason.
    scripts: decision.reasons.filter((_, at) => decision.rules[at]?.startsWith('project.') === true),
  };
  const names = decision.stages.map(({ tool, subcommand }) => [tool, subcommand ?? ''].join(' ').trim());
  const covers = `${[...new Set(names)].join(' and ')} with the same words, except for files of the same folders; the same programs, scripts and working folder`;
  return { family: sha256Hex(canonicalJson(shape)), covers };
}

function refusalOf(decision: Plan['decision']): string | null {
  if (decision.quorum > 1) return 'More than one person has to agree each time';
  if (decision.terms?.remember === false) return 'Policy wants each of them answered';
  return unlearnable(decision);
}

function shapeOf(
  { join, argv, redirects, stderrToStdout = false }: Stage,
  facts: StageFacts | undefined,
  findings: readonly string[],
  cwd: string,
): object {
  const files = new Map(
    facts?.touches
      .filter(({ kind, role }) => kind === 'path' && (role === 'read' || role === 'write'))
      .map(({ target, role }) => [target, role]) ?? [],
  );
  const words = argv.map((word, at): unknown => {
    const path = at === 0 || word.startsWith('-') ? undefined : lexicalPath(cwd, word);
    const role = path === undefined ? undefined : files.get(path);
    return path === undefined || role === undefined ? word : { role, folder: path.slice(0, path.lastIndexOf('/')) };
  });
  return {
    join,
    words,
    redirects,
    stderrToStdout,
    tool: facts?.tool ?? '',
    subcommand: facts?.subcommand ?? null,
    effects: [...(facts?.effects ?? [])].sort(),
    findings: [...findings].sort(),
  };
}
