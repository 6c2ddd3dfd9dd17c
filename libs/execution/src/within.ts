/** Waits for something for at most `ms`, or until the caller leaves. Undefined: it has not come. */
export async function within<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | undefined> {
  if (signal?.aborted) return undefined;
  let done: () => void = () => undefined;
  const over = new Promise<undefined>((resolve) => {
    done = () => resolve(undefined);
  });
  const timer = setTimeout(done, ms);
  signal?.addEventListener('abort', done, { once: true });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', done);
  }
}
