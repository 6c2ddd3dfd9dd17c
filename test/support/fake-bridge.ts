import { randomUUID } from 'node:crypto';
import { AppError } from '#platform';
import type { GoalRef, QuestionAnswer, RaisedAsk } from '#relay';
import { Door } from '../../libs/relay/bridge/door.mjs';
import { Frames } from '../../libs/relay/bridge/frames.mjs';
import { Refusal } from '../../libs/relay/bridge/refusal.mjs';
import { FakeHost } from './fake-host.js';

/** What any of the verbs takes. */
interface Args {
  readonly sessionId: string;
  readonly handle: string;
  readonly value: readonly QuestionAnswer[] | 'allowed-once' | 'rejected';
  readonly since: number;
  readonly text: string;
  readonly title: string;
  readonly cwd: string;
  readonly path: string;
  readonly objective: string;
  readonly ref: GoalRef;
  readonly names: readonly string[];
}

const SEAMS = ['agents', 'sessions', 'sessionPersistence', 'approval', 'goals', 'userQuestions', 'workspaceRegistry', 'credentials'];

/** The bridge's own door and stream with a fake host behind them. */
export class FakeBridge {
  readonly token = randomUUID() + randomUUID();
  readonly host: FakeHost;
  readonly frames = new Frames(randomUUID());
  readonly #door: Door;
  readonly #ended: object[] = [];
  port = 0;

  constructor(
    readonly missing: readonly string[] = [],
    host = new FakeHost(),
  ) {
    this.host = host;
    host.events.subscribe((event) => {
      if (event.type === 'askEnded') this.#ended.push({ ...event, type: undefined });
      if (event.type !== 'gone') this.frames.add(event);
    });
    this.#door = new Door({ token: this.token, frames: this.frames, verbs: this.#verbs() });
  }

  async open(): Promise<this> {
    await this.host.connect();
    this.port = await this.#door.open();
    return this;
  }

  /** As when the process dies: nothing answers any more. */
  async die(): Promise<void> {
    this.host.die();
    await this.#door.close();
  }

  /** Cuts every open stream; the port still answers. */
  cut(): void {
    this.frames.close();
  }

  #verbs(): Readonly<Record<string, (args: Args) => unknown>> {
    const { host } = this;
    const verbs: Readonly<Record<string, (args: Args) => unknown>> = {
      health: () => ({
        ...{ launchId: this.frames.launchId, seq: this.frames.seq, pid: process.pid, version: '0.0.0-fake' },
        seams: Object.fromEntries(SEAMS.map((seam) => [seam, !this.missing.includes(seam)])),
      }),
      asks: () => ({ seq: this.frames.seq, parked: [...host.parked.values()].map(({ ask }): RaisedAsk => ask), ended: this.#ended }),
      answer: async ({ handle, value }) => {
        const work = typeof value === 'string' ? host.answerApproval(handle, value) : host.answerQuestions(handle, value);
        return { accepted: await work };
      },
      sessions: () => host.sessions(),
      log: ({ sessionId, since }) => host.log(sessionId, since),
      createSession: (wanted) => host.createSession(wanted),
      resume: ({ sessionId }) => host.resume(sessionId),
      send: ({ sessionId, text }) => host.send(sessionId, text),
      cancel: ({ sessionId }) => host.cancel(sessionId),
      idle: async ({ sessionId }) => {
        await host.whenIdle(sessionId, new AbortController().signal);
        return { isIdle: true };
      },
      rename: ({ sessionId, title }) => host.rename(sessionId, title),
      goal: ({ sessionId }) => host.goal(sessionId),
      createGoal: ({ sessionId, ...wanted }) => host.createGoal(sessionId, wanted),
      editGoal: ({ sessionId, ref, ...wanted }) => host.editGoal(sessionId, ref, wanted),
      pauseGoal: ({ sessionId, ref }) => host.pauseGoal(sessionId, ref),
      resumeGoal: ({ sessionId, ref }) => host.resumeGoal(sessionId, ref),
      clearGoal: ({ sessionId, ref }) => host.clearGoal(sessionId, ref),
      workspaces: () => host.workspaces(),
      registerWorkspace: ({ path, title }) => host.registerWorkspace(path, title),
      credentials: ({ names }) => host.credentials(names),
    };
    return Object.fromEntries(Object.entries(verbs).map(([verb, work]) => [verb, (args: Args) => inHostWords(() => work(args))]));
  }
}

/** A real host knows no codes of ours. */
async function inHostWords(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const words: Readonly<Record<string, string>> = { REVISION_CONFLICT: 'GOAL_STALE_REVISION', GOAL_INVALID: 'GOAL_INVALID_OBJECTIVE' };
    throw new Refusal(words[error.code] ?? error.code, error.message);
  }
}
