import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { EventFeed } from './event-feed.js';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** Owner of what `/metrics` shows. Other libs register their own numbers with `registry`. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  #isCollecting = false;

  constructor(feed: EventFeed) {
    const registers = [this.registry];
    this.#requests = new Histogram({
      name: 'countersign_http_request_seconds',
      help: 'Time to answer a request, by route',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    });
    new Gauge({
      name: 'countersign_events_head',
      help: 'Number of the last event',
      registers,
      collect() {
        this.set(feed.head);
      },
    });
  }

  /** Counts one answered request. */
  answered(method: string, route: string, status: number, ms: number): void {
    this.#requests.labels(method, route, String(status)).observe(ms / 1_000);
  }

  /** The text that Prometheus reads. What the process itself tells is collected from the first reading on. */
  text(): Promise<string> {
    if (!this.#isCollecting) collectDefaultMetrics({ register: this.registry });
    this.#isCollecting = true;
    return this.registry.metrics();
  }
}
