import type { ActionEffect, EffectVerdict } from '#contracts';
import { REVIEWED } from './reviewed.js';

/** What the catalog tells about an action. Nothing of it says outright whether the action reads. */
export interface ActionFacts {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly requiredScopes: readonly string[];
  readonly providerPermissions: readonly string[];
  /** Actions that begin, look at or end a long work name each other. */
  readonly lifecycle?: { readonly statusActionId: string | null; readonly cancelActionId: string | null } | undefined;
}

const READS = words(
  'get list search find check query fetch download verify lookup retrieve read show describe count view preview inspect validate ' +
    'compare resolve browse export detect whois ping autocomplete suggest calculate parse build',
);
const WRITES = words(
  'create update add send set upload upsert post put write edit modify insert append assign move copy rename reply publish share ' +
    'invite enable comment schedule pin star follow save register link attach mark change patch duplicate import subscribe join tag label ' +
    'merge close reopen restore approve submit_review archive unarchive react transfer generate record track identify log',
);
const DESTROYS = words(
  'delete remove cancel destroy purge clear drop revoke terminate erase wipe uninstall disable reset kick ban unlink detach leave void ' +
    'refund deactivate suspend expire truncate discard reject trash empty block kill stop',
);
/** First words that say nothing: what they do stands in their arguments. */
const SAYS_NOTHING = words(
  'run execute start submit batch manage call trigger invoke process perform apply do make request proxy graphql sync',
);

/** Words of a description that a reading action has no use for. */
const SOUNDS_LIKE_WRITING =
  /\b(creat(e|es|ed|ing)|updat(e|es|ing)|add(s|ing)?|delet(e|es|ing)|remov(e|es|ing)|insert(s|ing)?|upsert(s|ing)?|send(s|ing)?|writ(e|es|ing)|modif(y|ies)|resum(e|es|ing)|enqueue(s|ing)?|mark(s|ing)? (it |them )?as|publish(es|ing)?|upload(s|ing)?|cancel(s|ling)?|charg(e|es|ing)|starts? an?)\b/i;
const SOUNDS_LIKE_DESTROYING =
  /\b(delet(e|es|ing|ion)|permanently|destroy(s|ing)?|eras(e|es|ing)|purg(e|es|ing)|remov(e|es|ing)|revok(e|es|ing)|irreversib|cannot be undone|wip(e|es|ing)|overwrit(e|es|ing))\b/i;

const READ_SCOPE = /(\.readonly$|[:._/-]read(only)?$|^read[:._/-]|[:._]view(er)?$|\.metadata\.readonly$)/i;
const DESTROY_SCOPE = /(^|[:._/-])(delete|destroy|remove)([:._/-]|$)|^delete_/i;
const WRITE_SCOPE = /(^|[:._/-])(write|send|manage|modify|compose|insert|readwrite|full_access|post|create|update)([:._/-]|$)|^write_/i;

/**
 * What an action does to the service. The strongest evidence decides; where evidence contradicts itself the worse one counts, and
 * where there is none a person is asked.
 */
export function effectOf(facts: ActionFacts): EffectVerdict {
  const reviewed = Object.hasOwn(REVIEWED, facts.id) ? REVIEWED[facts.id] : undefined;
  if (reviewed) return { effect: reviewed, source: 'reviewed', reason: `${facts.id} was reviewed: ${SAYS[reviewed]}.` };
  const byLifecycle = fromLifecycle(facts);
  if (byLifecycle) return byLifecycle;
  const verb = firstWord(facts.name);
  if (SAYS_NOTHING.has(verb))
    return { effect: 'unknown', source: 'nothing', reason: `What an action called ${quoted(verb)} does stands in its arguments.` };
  const byVerb = effectOfVerb(verb);
  const byScopes = fromScopes(facts);
  const strongest = byScopes && byVerb ? worse(byScopes.effect, byVerb) : (byScopes?.effect ?? byVerb);
  if (strongest === undefined)
    return { effect: 'unknown', source: 'nothing', reason: `Nothing says what an action called ${quoted(verb)} does.` };
  const contradiction = contradicted(strongest, facts.description);
  if (contradiction) return contradiction;
  if (byScopes && byVerb !== strongest) return byScopes;
  return { effect: strongest, source: 'verb', reason: `Its name begins with ${quoted(verb)}, which ${SAYS[strongest]}.` };
}

const SAYS: Readonly<Record<ActionEffect, string>> = {
  read: 'only reads',
  write: 'changes something',
  destructive: 'takes something away',
  unknown: 'may do anything',
};

/** An action that begins a long work, asks how it goes, or ends it. */
function fromLifecycle({ id, lifecycle }: ActionFacts): EffectVerdict | undefined {
  if (!lifecycle) return undefined;
  if (lifecycle.cancelActionId === id) return { effect: 'destructive', source: 'lifecycle', reason: 'It ends a work that runs.' };
  if (lifecycle.statusActionId === id) return { effect: 'read', source: 'lifecycle', reason: 'It asks how a work goes.' };
  return { effect: 'write', source: 'lifecycle', reason: 'It begins a work that goes on by itself.' };
}

/** Scopes say at most what an action needs. That all of them only read is evidence; that one may delete is as well. */
function fromScopes({ requiredScopes, providerPermissions }: ActionFacts): EffectVerdict | undefined {
  const scopes = [...requiredScopes, ...providerPermissions];
  const [first] = scopes;
  if (first === undefined) return undefined;
  const destroying = scopes.find((scope) => DESTROY_SCOPE.test(scope));
  if (destroying !== undefined) return { effect: 'destructive', source: 'scopes', reason: `It needs the scope ${shown(destroying)}.` };
  if (scopes.every((scope) => READ_SCOPE.test(scope)))
    return { effect: 'read', source: 'scopes', reason: `All that it needs is to read: ${shown(first)}.` };
  const writing = scopes.find((scope) => WRITE_SCOPE.test(scope) && !READ_SCOPE.test(scope));
  // A scope that may also write is what many reading actions have; it decides only where the name does not.
  return writing === undefined ? undefined : { effect: 'write', source: 'scopes', reason: `It needs the scope ${shown(writing)}.` };
}

/** A name that says less than the description is not believed. */
function contradicted(effect: ActionEffect, description: string): EffectVerdict | undefined {
  const destroying = effect === 'destructive' ? undefined : SOUNDS_LIKE_DESTROYING.exec(description)?.[0];
  const writing = effect === 'read' ? SOUNDS_LIKE_WRITING.exec(description)?.[0] : undefined;
  const word = destroying ?? writing;
  if (word === undefined) return undefined;
  const reason = `Its name ${effect === 'read' ? 'reads' : 'writes'}, but its description says ${quoted(word)}.`;
  return { effect: destroying === undefined ? 'write' : 'destructive', source: 'contradiction', reason };
}

const WORST: Readonly<Record<ActionEffect, number>> = { read: 0, write: 1, destructive: 2, unknown: 3 };

function worse(one: ActionEffect, other: ActionEffect): ActionEffect {
  return WORST[one] >= WORST[other] ? one : other;
}

function effectOfVerb(verb: string): ActionEffect | undefined {
  if (DESTROYS.has(verb)) return 'destructive';
  if (WRITES.has(verb)) return 'write';
  return READS.has(verb) ? 'read' : undefined;
}

function firstWord(name: string): string {
  return /^[a-z]+/.exec(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())?.[0] ?? '';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

function quoted(text: string): string {
  return `“${shown(text)}”`;
}

function shown(text: string): string {
  return text.slice(0, 100);
}
