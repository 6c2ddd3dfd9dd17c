/** Calls `changed` when other processes may have committed; may call too often, never too seldom. Returns how to stop. */
export type Watch = (changed: () => void) => () => Promise<void>;
