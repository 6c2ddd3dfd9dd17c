import { Injectable, Optional } from '@nestjs/common';
import { rolesIn } from '#contracts';
import type { Decision, PolicyText, Principal, Requester, Stage, WorkspaceId } from '#contracts';
import { Clock, PrincipalDirectory } from '#platform';
import type { Circumstances } from './core/documents/match.js';
import { readyDocument, ruleOn, type ReadyDocument } from './core/documents/rule-on.js';
import { PolicyDocuments, type LoadedDocument } from './documents.js';

/** Puts a built-in verdict before the team's document, together with who asks, where and when. */
@Injectable()
export class Rulings {
  readonly #ready = new WeakMap<LoadedDocument, ReadyDocument>();

  constructor(
    private readonly documents: PolicyDocuments,
    private readonly clock: Clock,
    // A process without people, such as a test of one plane, has no directory; then only the caller itself is known.
    @Optional() private readonly directory?: PrincipalDirectory,
  ) {}

  /** What the document in force says at this moment, or what a draft would say. */
  async rule(base: Decision, stages: readonly Stage[], circumstances: Omit<Circumstances, 'at'>, draft?: PolicyText): Promise<Decision> {
    const now = { ...circumstances, at: this.clock.now() };
    if (draft) return ruleOn(base, stages, now, readyDocument(draft, 'draft'));
    const loaded = await this.documents.current();
    const ready = this.#ready.get(loaded) ?? readyDocument(loaded.document, loaded.policyVersion);
    this.#ready.set(loaded, ready);
    return ruleOn(base, stages, now, ready);
  }

  /** A caller as rules see it in this workspace: a token counts with the roles of the person behind it. */
  async requester(principal: Principal, workspaceId: WorkspaceId): Promise<Requester> {
    const { id, kind, name, personId } = principal;
    const person = kind === 'token' && personId !== undefined ? await this.directory?.find(personId) : undefined;
    return { id, kind, name, roles: rolesIn(person ?? principal, workspaceId), personId: personId ?? null };
  }

  /** The same requester with what it may be now; as it was when it cannot be found any more. */
  async again(requester: Requester, workspaceId: WorkspaceId): Promise<Requester> {
    const now = await this.directory?.find(requester.id);
    return now ? this.requester(now, workspaceId) : requester;
  }
}
