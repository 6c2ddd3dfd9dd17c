import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Principal, RetentionRecord, RetentionRule, RetentionSubject } from '#contracts';
import { AppError, Clock, EventFeed, newId, ScheduledWork, type Append, type Tx } from '#platform';
import { adminDraft } from './core/admin-draft.js';
import { DELETED, leavesDigest, rangesOf } from './core/retention.js';
import { Receipts } from './receipts.js';
import { RetentionRepository, type StoredRule } from './ports.js';

type RuleId = string & { readonly __kind: 'retention rule' };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Deleted in one transaction, and told of in one receipt. */
const AT_ONCE = 200;

export interface NewRule {
  readonly by: Principal;
  readonly subject: RetentionSubject;
  readonly workspaceId: string | null;
  readonly keepDays: number;
}

export interface Overdue {
  /** What is older goes. */
  readonly before: number;
  /** Null: of every workspace. */
  readonly workspaceId: string | null;
  readonly limit: number;
}

/** Deletes in the transaction what other planes keep; how much there was. */
export type DeleteOverdue = (tx: Tx, overdue: Overdue) => Promise<number>;

type OtherSubject = Extract<RetentionSubject, 'output' | 'plan'>;
const OTHER_ACTIONS: Readonly<Record<OtherSubject, string>> = { output: 'output.deleted', plan: 'plans.deleted' };

/**
 * Owns the rules that say how long bodies are kept. What a rule deletes, and the receipt that tells of it, are committed
 * together; leaves, salts and the tree stay, so that every proof stands.
 */
@Injectable()
export class Retention implements OnModuleInit {
  readonly #log = new Logger(Retention.name);
  readonly #others = new Map<OtherSubject, DeleteOverdue[]>();

  constructor(
    private readonly rows: RetentionRepository,
    private readonly receipts: Receipts,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
    private readonly work: ScheduledWork,
  ) {}

  onModuleInit(): void {
    this.work.every(HOUR_MS, 'Deleting what no rule keeps any longer', async () => {
      await this.run();
    });
  }

  /** Planes that keep output or plans register how those are deleted. */
  register(subject: OtherSubject, remove: DeleteOverdue): void {
    this.#others.set(subject, [...(this.#others.get(subject) ?? []), remove]);
  }

  async rules(): Promise<readonly RetentionRule[]> {
    return (await this.rows.rules()).map(toRule);
  }

  async add({ by, subject, workspaceId, keepDays }: NewRule): Promise<RetentionRule> {
    const { id: byId, name, kind, channel } = by;
    const createdAt = this.clock.now();
    const rule: StoredRule = {
      id: newId<RuleId>(),
      subject,
      workspaceId,
      keepDays,
      createdAt,
      by: { id: byId, name, kind, channel },
      done: 0,
    };
    await this.feed.write(async (tx, append) => {
      await this.rows.insert(tx, rule);
      const did = `set a rule: ${subject} is kept for ${String(keepDays)} days`;
      await this.#record(tx, append, { by, action: 'retention.rule_added', did, details: { rule: factsOf(rule), subject } });
    });
    return toRule(rule);
  }

  async remove(by: Principal, id: string): Promise<void> {
    await this.feed.write(async (tx, append) => {
      const rule = await this.rows.remove(tx, id);
      if (!rule) throw new AppError('RETENTION_RULE_NOT_FOUND', 'No such retention rule', { ruleId: id });
      const did = `removed a rule: ${rule.subject} was kept for ${String(rule.keepDays)} days`;
      await this.#record(tx, append, {
        by,
        action: 'retention.rule_removed',
        did,
        details: { rule: factsOf(rule), subject: rule.subject },
      });
    });
  }

  /** Carries all rules out; how much was deleted. */
  async run(): Promise<number> {
    let total = 0;
    for (const rule of await this.rows.rules()) {
      const before = this.clock.now() - rule.keepDays * DAY_MS;
      for (let count = AT_ONCE; count >= AT_ONCE; total += count) count = await this.#apply(rule, before);
      // Events repeat what lists show; a watcher that is so far behind loads anew.
      await this.feed.trim(rule.keepDays * DAY_MS, 0);
    }
    if (total > 0) this.#log.log(`Retention rules deleted ${String(total)} bodies`);
    return total;
  }

  #apply(rule: StoredRule, before: number): Promise<number> {
    return this.feed.write((tx, append) =>
      rule.subject === 'output' || rule.subject === 'plan'
        ? this.#deleteOthers(tx, append, { rule, subject: rule.subject, before })
        : this.#deleteReceipts(tx, append, rule, before),
    );
  }

  async #deleteReceipts(tx: Tx, append: Append, rule: StoredRule, before: number): Promise<number> {
    const found = await this.rows.overdue(tx, rule, before, AT_ONCE);
    if (found.length === 0) return 0;
    const places = found.map(({ place }) => place);
    const record: RetentionRecord = {
      ...recordOf(rule, before, found.length),
      ranges: rangesOf(places),
      leaves_sha256: leavesDigest(found.map(({ leafHash }) => leafHash)),
    };
    const did = `had a rule that deleted the bodies of ${String(found.length)} receipts`;
    const index = await this.#record(tx, append, { by: rule.by, action: DELETED, did, details: { retention: record } });
    await this.rows.deleteBodies(tx, places, index);
    await this.rows.advance(tx, rule.id, (places.at(-1) ?? 0) + 1);
    return found.length;
  }

  async #deleteOthers(
    tx: Tx,
    append: Append,
    { rule, subject, before }: { readonly rule: StoredRule; readonly subject: OtherSubject; readonly before: number },
  ): Promise<number> {
    let count = 0;
    for (const remove of this.#others.get(subject) ?? []) {
      count += await remove(tx, { before, workspaceId: rule.workspaceId, limit: AT_ONCE });
    }
    if (count === 0) return 0;
    const did = subject === 'output' ? 'had a rule that deleted the output of runs' : 'had a rule that deleted plans and asks';
    const details = { retention: recordOf(rule, before, count) };
    await this.#record(tx, append, { by: rule.by, action: OTHER_ACTIONS[subject], did, details });
    return count;
  }

  async #record(tx: Tx, append: Append, act: Omit<Parameters<typeof adminDraft>[0], 'at'>): Promise<number> {
    const { proof } = await this.receipts.write(tx, append, adminDraft({ ...act, at: this.clock.now() }));
    return proof.ledger.index;
  }
}

function recordOf(rule: StoredRule, before: number, count: number): RetentionRecord {
  return {
    schema: 'countersign/retention/1',
    rule: factsOf(rule),
    subject: rule.subject,
    before: new Date(before).toISOString(),
    count,
  };
}

function factsOf({ id, workspaceId, keepDays }: StoredRule): RetentionRecord['rule'] {
  return { id, workspace_id: workspaceId, keep_days: keepDays };
}

function toRule({ id, subject, workspaceId, keepDays, createdAt }: StoredRule): RetentionRule {
  return { id, subject, workspaceId, keepDays, createdAt };
}
