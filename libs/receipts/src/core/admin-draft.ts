import type { EventScope, Principal } from '#contracts';
import type { EvidenceDraft } from './draft.js';

/** A change that touches trust, as it is recorded. */
export interface AdminAct {
  readonly by: Pick<Principal, 'id' | 'name' | 'kind' | 'channel'>;
  readonly at: number;
  /** For programs, such as `token.created`. */
  readonly action: string;
  /** What follows the name of the one who did it: facts, no reasons. */
  readonly did: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The draft of a receipt of kind `admin`. */
export interface AdminDraft {
  readonly scope: EventScope;
  readonly body: null;
  readonly evidence: EvidenceDraft;
  readonly approverNames: readonly string[];
  readonly workspaceName: string;
}

export function adminDraft({ by, at, action, did, details }: AdminAct): AdminDraft {
  return {
    scope: { owner: by.id, sessionId: null },
    body: null,
    evidence: {
      kind: 'admin',
      requester: { id: by.id, name: by.name, kind: by.kind, channel: by.channel },
      at: new Date(at).toISOString(),
      summary: `${by.name} ${did}`,
      details: { action, ...details },
    },
    approverNames: [],
    workspaceName: '',
  };
}
