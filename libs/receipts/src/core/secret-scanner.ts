import { AnchorAutomaton } from './anchor-automaton.js';
import { secretForms, type SecretForm } from './known-secrets.js';
import { FAMILIES, FAMILY_REACH, type Family } from './secret-families.js';
import { tailEnd, type Tail } from './found.js';
import { UNSEEN_ANCHORS, VisibleText } from './visible-text.js';

/** A stretch to hide. `rank` orders kinds by how exactly they say what it is. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly rank: number;
}

/** Where to look: ranges begin in [from, accept); text up to `to` may be read to judge them. */
export interface Window {
  readonly text: string;
  readonly from: number;
  readonly accept: number;
  readonly to: number;
  /** Classes that a secret before this window left open, and where they go on. */
  readonly open: OpenTails;
  readonly resume: number;
}

/** Tails that reached the end of the text: as written, and as a person would see it. */
export interface OpenTails {
  readonly written: ReadonlySet<Tail>;
  readonly seen: ReadonlySet<Tail>;
}

export interface Sightings {
  readonly ranges: Range[];
  readonly open: OpenTails;
  /** The window holds a `-----BEGIN`. */
  readonly begin: boolean;
  /** The window as a person would see it, when that differs. */
  readonly visible: VisibleText | undefined;
}

export const NO_TAILS: OpenTails = { written: new Set(), seen: new Set() };
/** A range that an earlier one already announced. */
export const CONTINUED = -1;
export const KNOWN_SECRET_RANK = 0;
export const PRIVATE_KEY_RANK = 1;
const MARKER_OF_RANK: readonly string[] = ['known-secret', 'private-key', ...FAMILIES.map(({ kind }) => kind)].map(
  (kind) => `[REDACTED:${kind}]`,
);
/** A long form is found by its first units and then compared as a whole. */
const ANCHOR_UNITS = 6;

export function markerOf({ rank }: Range): string {
  return MARKER_OF_RANK[rank] ?? '[REDACTED:secret]';
}

interface FamilyTarget {
  readonly type: 'family';
  readonly family: Family;
  readonly rank: number;
}

type Target =
  FamilyTarget | { readonly type: 'form'; readonly form: SecretForm } | { readonly type: 'begin' } | { readonly type: 'unseen' };

interface Anchored {
  readonly anchor: string;
  readonly target: Target;
}

/** Owner of what counts as a secret: known values in all their spellings, and the families of common shapes. */
export class SecretScanner {
  /** No judgement needs more text than this after the place where a secret begins. */
  readonly reach: number;
  readonly #targets: readonly Anchored[];
  readonly #automaton: AnchorAutomaton;

  constructor(secrets: readonly string[]) {
    const forms = secretForms(secrets);
    this.reach = forms.reduce((most, { text }) => Math.max(most, text.length + 8), FAMILY_REACH);
    this.#targets = [
      ...FAMILIES.flatMap((family, index) =>
        family.anchors.map((anchor) => ({ anchor, target: { type: 'family' as const, family, rank: index + 2 } })),
      ),
      ...forms.map((form) => ({ anchor: form.text.slice(0, ANCHOR_UNITS), target: { type: 'form' as const, form } })),
      ...UNSEEN_ANCHORS.map((anchor) => ({ anchor, target: { type: 'unseen' as const } })),
      { anchor: '-----begin', target: { type: 'begin' as const } },
    ];
    this.#automaton = new AnchorAutomaton(this.#targets.map(({ anchor }) => anchor));
  }

  /** Nothing in the text could be a secret, or hide one. */
  isPlain(text: string): boolean {
    return !this.#automaton.hits(text);
  }

  look({ text, from, accept, to, open, resume }: Window): Sightings {
    const written = new Look(text, from, accept, to);
    written.goOn(open.written, resume);
    const { unseen, begin } = this.#run(written);
    if (!unseen) {
      written.goOn(open.seen, resume);
      return { ranges: written.ranges, open: { written: written.open, seen: NO_TAILS.seen }, begin, visible: undefined };
    }
    const visible = new VisibleText(text, from, to);
    const seen = new Look(visible.text, 0, visible.indexOf(accept), visible.text.length);
    seen.goOn(open.seen, visible.indexOf(resume));
    const second = this.#run(seen);
    const ranges = seen.ranges.map(({ start, end, rank }) => ({
      start: visible.originalIndex(start),
      end: visible.originalEnd(end),
      rank,
    }));
    return {
      ranges: [...written.ranges, ...ranges],
      open: { written: written.open, seen: seen.open },
      begin: begin || second.begin,
      visible,
    };
  }

  #run(look: Look): { readonly unseen: boolean; readonly begin: boolean } {
    let unseen = false;
    let begin = false;
    this.#automaton.scan(look.text, look.from, look.to, (needle, end) => {
      const { anchor, target } = this.#targets[needle] as Anchored; // the automaton knows no other number
      switch (target.type) {
        case 'family':
          look.judgeFamily(target, end - anchor.length, end);
          break;
        case 'form':
          look.judgeForm(target.form, end - anchor.length);
          break;
        case 'unseen':
          unseen = true;
          break;
        case 'begin':
          begin = true;
      }
    });
    return { unseen, begin };
  }
}

/** One pass over one text: collects ranges, and walks each tail at most once. */
class Look {
  readonly ranges: Range[] = [];
  readonly open = new Set<Tail>();
  readonly #walked = new Map<Tail, { readonly from: number; readonly end: number }>();
  #lastRun: { readonly tail: Tail; readonly from: number; readonly end: number } | undefined;

  constructor(
    readonly text: string,
    readonly from: number,
    readonly accept: number,
    readonly to: number,
  ) {}

  judgeFamily({ family, rank }: FamilyTarget, start: number, end: number): void {
    if (start >= this.accept || (family.within && this.#isHidden(family.within, start))) return;
    const found = family.find(this.text, { start, end, run: this.#run });
    if (!found || found.end > this.to) return;
    this.#hide(found.start, found.tail ? this.#walk(found.tail, found.end) : found.end, rank);
  }

  judgeForm({ text, ignoreCase, margin }: SecretForm, start: number): void {
    const end = start + text.length;
    if (start >= this.accept || end > this.to) return;
    const isSame = this.text.startsWith(text, start) || (ignoreCase && this.text.slice(start, end).toLowerCase() === text.toLowerCase());
    if (!isSame) return;
    this.#hide(this.#spread(start, -1, margin), this.#spread(end, 1, margin), KNOWN_SECRET_RANK);
  }

  /** Goes on hiding what a secret before this text left open. */
  goOn(tails: ReadonlySet<Tail>, from: number): void {
    for (const tail of tails) {
      const end = this.#walk(tail, from);
      if (end > from) this.#hide(from, end, CONTINUED);
    }
  }

  /** Adds a range; one that goes on from the last of its kind makes that longer. */
  #hide(start: number, end: number, rank: number): void {
    const last = this.ranges.at(-1);
    if (last?.rank === rank && last.start <= start && start < last.end) {
      this.ranges[this.ranges.length - 1] = { start: last.start, end: Math.max(last.end, end), rank };
    } else this.ranges.push({ start, end, rank });
  }

  /** Hidden up to where a secret that begins at `start` would end. */
  #isHidden(tail: Tail, start: number): boolean {
    if (this.#walked.size === 0) return false;
    const walked = this.#walked.get(tail);
    return walked !== undefined && walked.from <= start && start < walked.end;
  }

  #walk(tail: Tail, from: number): number {
    const walked = this.#walked.get(tail);
    if (walked && walked.from <= from && from <= walked.end) return walked.end;
    const end = tailEnd(tail, this.text, from, this.to);
    this.#walked.set(tail, { from, end });
    if (end === this.to) this.open.add(tail);
    return end;
  }

  /** As `#walk`, for runs that hide nothing. */
  readonly #run = (tail: Tail, from: number): number => {
    if (this.#lastRun?.tail === tail && this.#lastRun.from <= from && from <= this.#lastRun.end) return this.#lastRun.end;
    const end = tailEnd(tail, this.text, from, this.to);
    this.#lastRun = { tail, from, end };
    return end;
  };

  #spread(index: number, step: 1 | -1, most: number): number {
    let next = index;
    for (let taken = 0; taken < most; taken += 1) {
      const neighbour = step === 1 ? next : next - 1;
      if (neighbour < this.from || neighbour >= this.to || !/[A-Za-z0-9+/=_-]/.test(this.text.charAt(neighbour))) break;
      next += step;
    }
    return next;
  }
}
