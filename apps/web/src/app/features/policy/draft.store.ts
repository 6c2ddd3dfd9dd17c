import { Service, computed, effect, inject, signal, untracked } from '@angular/core';
import type { PolicyCheck, PolicyVersion, ReplayResult } from '#contracts';
import { Api, ApiError } from '../../core/api.js';
import { EventStream } from '../../core/event-stream.js';
import { lineDiff } from '../../core/text/line-diff.js';
import { keepDraft, keptDraft } from './draft-memory.js';
import type { KeptDraft } from './draft-memory.js';
import { PolicyStore } from './policy.store.js';
import { replayRows } from './replay-rows.js';
import { saveGate } from './save-gate.js';

const CHECK_AFTER_MS = 350;
const LISTED = 500;

interface Of<T> {
  readonly text: string;
  readonly answer: T;
}

/** Owner of the draft: its text, what the server says to exactly that text, and the way to save it. */
@Service({ autoProvided: false })
export class DraftStore {
  readonly #api = inject(Api);
  readonly #stream = inject(EventStream);
  readonly #policy = inject(PolicyStore);
  readonly #kept = signal<KeptDraft | undefined>(keptDraft());
  readonly #check = signal<Of<PolicyCheck> | undefined>(undefined);
  readonly #replay = signal<Of<ReplayResult> | undefined>(undefined);
  readonly #opened = signal<ReadonlySet<string>>(new Set());
  readonly #busy = signal<'replay' | 'save' | undefined>(undefined);
  readonly #failure = signal<ApiError | undefined>(undefined);
  readonly #theirs = signal<PolicyVersion | undefined>(undefined);

  readonly busy = this.#busy.asReadonly();
  readonly failure = this.#failure.asReadonly();
  readonly text = computed(() => this.#kept()?.text ?? this.#policy.inForce()?.yaml ?? '');
  readonly note = computed(() => this.#kept()?.note ?? '');
  readonly isReady = computed(() => this.#policy.inForce() !== undefined);
  readonly hasDraft = computed(() => this.#kept() !== undefined && !this.isSame());
  readonly isSame = computed(() => this.text() === this.#policy.inForce()?.yaml);
  /** The version that the text began from. */
  readonly from = computed(() => this.#kept()?.from ?? this.#policy.inForce()?.version ?? 0);
  readonly check = computed(() => (this.#check()?.text === this.text() ? this.#check()?.answer : undefined));
  readonly lastCheck = computed(() => this.#check()?.answer);
  readonly replay = computed(() => this.#replay()?.answer);
  readonly isReplayed = computed(() => this.#replay()?.text === this.text());
  readonly rows = computed(() => replayRows(this.replay()?.changes ?? []));
  readonly opened = this.#opened.asReadonly();
  readonly looserLeft = computed(() => this.rows().filter((row) => row.change === 'looser' && !this.#opened().has(row.key)).length);
  readonly isConflict = computed(() => {
    const now = this.#policy.inForce()?.version;
    return this.#kept() !== undefined && !this.isSame() && now !== undefined && now !== this.from();
  });
  /** What somebody else saved while this text was written, and how it differs from where both began. */
  readonly conflict = computed(() => {
    const theirs = this.#theirs();
    if (!this.isConflict() || theirs === undefined) return undefined;
    return { theirs, lines: lineDiff(this.#kept()?.fromText ?? '', theirs.yaml) };
  });
  readonly gate = computed(() =>
    saveGate({
      isSame: this.isSame(),
      isConflict: this.isConflict(),
      isLive: this.#stream.mayDecide(),
      check: this.check(),
      isReplayed: this.isReplayed(),
      looserLeft: this.looserLeft(),
      note: this.note(),
    }),
  );

  constructor() {
    effect((cleanup) => {
      const text = this.text();
      if (!this.isReady()) return;
      const timer = setTimeout(() => void untracked(() => this.#validate(text)), CHECK_AFTER_MS);
      cleanup(() => {
        clearTimeout(timer);
      });
    });
    effect(() => {
      const now = this.#policy.inForce()?.version;
      if (this.isConflict() && now !== undefined) untracked(() => void this.#loadTheirs(now));
    });
  }

  write(text: string): void {
    if (text === this.text()) return;
    this.#keep({ text });
  }

  say(note: string): void {
    this.#keep({ note });
  }

  /** Puts another text into the editor, such as that of an older version. */
  use(text: string): void {
    this.drop();
    this.write(text);
  }

  drop(): void {
    this.#kept.set(undefined);
    keepDraft(undefined);
    this.#replay.set(undefined);
    this.#failure.set(undefined);
  }

  /** Keeps my text and takes what is in force now as where it began: the difference then shows what it undoes. */
  goOn(): void {
    const now = this.#policy.inForce();
    if (now === undefined) return;
    this.#keep({ from: now.version, fromText: now.yaml });
    this.#check.set(undefined);
    this.#replay.set(undefined);
    this.#failure.set(undefined);
    void this.#validate(this.text());
  }

  open(key: string): void {
    this.#opened.update((opened) => new Set([...opened, key]));
  }

  async replayOver(days: number): Promise<void> {
    const text = this.text();
    this.#busy.set('replay');
    this.#failure.set(undefined);
    try {
      const answer = await this.#api.post<ReplayResult>('policy/replay', { yaml: text, days, limit: LISTED });
      this.#opened.set(new Set());
      this.#replay.set({ text, answer });
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    } finally {
      this.#busy.set(undefined);
    }
  }

  /** The number of the new version, or nothing when it was refused; my text stays then. */
  async save(): Promise<number | undefined> {
    if (this.gate() !== undefined || this.#busy() !== undefined) return undefined;
    this.#busy.set('save');
    this.#failure.set(undefined);
    try {
      const body = { yaml: this.text(), previous: this.from(), note: this.note().trim() };
      const saved = await this.#api.post<PolicyVersion>('policy/versions', body);
      this.drop();
      await this.#policy.load();
      return saved.version;
    } catch (thrown) {
      const failure = ApiError.of(thrown);
      this.#failure.set(failure);
      if (failure.code === 'POLICY_VERSION_CONFLICT') await this.#policy.load();
      return undefined;
    } finally {
      this.#busy.set(undefined);
    }
  }

  #keep(change: Partial<KeptDraft>): void {
    const now = this.#policy.inForce();
    const begun = this.#kept() ?? { text: this.text(), note: '', from: now?.version ?? 0, fromText: now?.yaml ?? '' };
    this.#kept.set({ ...begun, ...change });
    keepDraft(this.#kept());
  }

  async #validate(text: string): Promise<void> {
    try {
      const answer = await this.#api.post<PolicyCheck>('policy/validate', { yaml: text });
      if (text === this.text()) this.#check.set({ text, answer });
    } catch (thrown) {
      this.#failure.set(ApiError.of(thrown));
    }
  }

  async #loadTheirs(version: number): Promise<void> {
    if (this.#theirs()?.version === version) return;
    this.#theirs.set(await this.#api.get<PolicyVersion>(`policy/versions/${String(version)}`).catch(() => undefined));
  }
}
