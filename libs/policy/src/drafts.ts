import { Injectable } from '@nestjs/common';
import type { BasePolicy, PolicyCheck, Principal } from '#contracts';
import { unwrap } from '#platform';
import { BASE_POLICY } from './core/base-policy.js';
import { baseDocument } from './core/documents/base-document.js';
import { checkExamples } from './core/documents/examples.js';
import { diffOf } from './core/documents/lines.js';
import { LOWERABLE } from './core/documents/lowering.js';
import { checkMayRead } from './core/documents/may-change.js';
import { readDocument } from './core/documents/read.js';
import { RULES } from './core/rules.js';
import { PolicyDocuments } from './documents.js';

/** Owner of drafts: what is wrong with a text, what its examples say, and what it would change. Saves nothing. */
@Injectable()
export class Drafts {
  #base: BasePolicy | undefined;

  constructor(private readonly documents: PolicyDocuments) {}

  base(principal: Principal): BasePolicy {
    unwrap(checkMayRead(principal));
    return (this.#base ??= readBase());
  }

  async check(principal: Principal, yaml: string): Promise<PolicyCheck> {
    unwrap(checkMayRead(principal));
    const current = await this.documents.current();
    const read = readDocument(yaml);
    if (!read.ok)
      return { ok: false, issues: read.issues, warnings: [], examples: [], document: null, diff: null, current: current.version };
    const { document, warnings, place } = read;
    const { results, issues } = checkExamples(document, place);
    const diff = diffOf(current, { yaml, document });
    return { ok: issues.length === 0, issues, warnings, examples: results, document, diff, current: current.version };
  }
}

function readBase(): BasePolicy {
  const yaml = baseDocument();
  const read = readDocument(yaml);
  if (!read.ok) throw new Error('The built-in policy does not fit its own language');
  const findings = Object.entries(RULES).map(([name, { level, risk, says }]) => ({
    name,
    level,
    risk,
    says,
    lowerable: LOWERABLE.has(name),
  }));
  return { policyVersion: BASE_POLICY.version, yaml, document: read.document, findings };
}
