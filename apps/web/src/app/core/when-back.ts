import { DestroyRef, inject } from '@angular/core';
import type { ApiError } from './api.js';
import { EventStream } from './event-stream.js';

/**
 * Loads again once the server is back: what failed meanwhile, and with `always` also what no event tells. Only where Angular injects.
 */
export function whenBack(load: () => unknown, failure: () => ApiError | undefined, always = false): void {
  const following = inject(EventStream).back.subscribe(({ wasAway }) => {
    if (failure()?.mayRetry === true || (always && wasAway)) void load();
  });
  inject(DestroyRef).onDestroy(() => {
    following.unsubscribe();
  });
}
