import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Subscription } from 'rxjs';
import type { Principal, Run, RunFrame, RunId } from '#contracts';
import { type HotStream, HotStreams } from '#platform';
import type { NumberedFrame } from '../live-run.js';
import { LiveRuns } from '../live-runs.js';
import { RunRepository } from '../repositories.js';

const REPLAY_STEP = 100;
/** How often the output of a run of another process is looked for. */
const LOOK_EVERY_MS = 250;

interface Viewer {
  readonly stream: HotStream;
  readonly runId: RunId;
  cursor: number;
}

/** Owner of the viewers of run output: stored chunks first, then the live ones, without gap or repetition, then one end. */
@Injectable()
export class RunStreams implements OnModuleInit, OnModuleDestroy {
  readonly #viewers = new Map<RunId, Set<Viewer>>();
  #following: Subscription | undefined;

  constructor(
    private readonly live: LiveRuns,
    private readonly runs: RunRepository,
    private readonly streams: HotStreams,
  ) {}

  /** How many viewers follow live output. */
  get size(): number {
    return [...this.#viewers.values()].reduce((sum, viewers) => sum + viewers.size, 0);
  }

  onModuleInit(): void {
    this.#following = this.live.frames.subscribe((numbered) => this.#tell(numbered.runId, numbered));
  }

  onModuleDestroy(): void {
    this.#following?.unsubscribe();
  }

  async open(reply: FastifyReply, principal: Principal, run: Run, cursor: number): Promise<void> {
    const stream = this.streams.open(reply, principal, () => this.#forget(viewer));
    const viewer: Viewer = { stream, runId: run.id, cursor };
    try {
      await this.#follow(viewer);
    } catch (error) {
      stream.destroy(); // it will come back with its cursor
      throw error;
    }
  }

  async #follow(viewer: Viewer): Promise<void> {
    while (viewer.stream.isOpen) {
      const run = await this.runs.find(viewer.runId); // before the output: what an ended run has written is all there
      await this.#replay(viewer);
      if (run?.outcome && run.receiptId) {
        end(viewer, { type: 'ended', outcome: run.outcome, receiptId: run.receiptId });
        return;
      }
      const here = this.live.find(viewer.runId);
      if (here && viewer.cursor >= here.told) {
        this.#join(viewer); // in the same tick as the comparison, so nothing can come in between
        return;
      }
      if (!here) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async #replay(viewer: Viewer): Promise<void> {
    for (;;) {
      const chunks = await this.runs.output(viewer.runId, viewer.cursor, REPLAY_STEP);
      for (const chunk of chunks) send(viewer, { seq: chunk.seq, frame: { type: 'output', ...chunk } }, undefined);
      if (chunks.length < REPLAY_STEP || !viewer.stream.isOpen) return;
      await viewer.stream.drained();
    }
  }

  #join(viewer: Viewer): void {
    if (!viewer.stream.isOpen) return;
    const viewers = this.#viewers.get(viewer.runId) ?? new Set();
    this.#viewers.set(viewer.runId, viewers.add(viewer));
  }

  #forget(viewer: Viewer): void {
    const viewers = this.#viewers.get(viewer.runId);
    viewers?.delete(viewer);
    if (viewers?.size === 0) this.#viewers.delete(viewer.runId);
  }

  #tell(runId: RunId, numbered: NumberedFrame): void {
    const viewers = this.#viewers.get(runId);
    if (!viewers) return;
    const bytes = toBytes(numbered);
    for (const viewer of [...viewers]) {
      send(viewer, numbered, bytes);
      if (numbered.frame.type === 'ended') viewer.stream.end();
    }
  }
}

function send(viewer: Viewer, numbered: NumberedFrame, bytes: Buffer | undefined): void {
  if (numbered.seq <= viewer.cursor) return;
  viewer.cursor = numbered.seq;
  viewer.stream.write(bytes ?? toBytes(numbered));
}

function end(viewer: Viewer, frame: RunFrame): void {
  send(viewer, { seq: viewer.cursor + 1, frame }, undefined);
  viewer.stream.end();
}

function toBytes({ seq, frame }: NumberedFrame): Buffer {
  return Buffer.from(`id: ${String(seq)}\ndata: ${JSON.stringify(frame)}\n\n`);
}
