import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4_096;
const BYTES_PER_ID = 10;
const LAST_COUNT = 0xfff;

const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;
let lastMs = 0;
let count = 0;

/**
 * A new UUID of version 7. Ids of one process sort in the order they were made, also within a millisecond and when the
 * system clock steps back: the twelve bits after the version are a counter that starts at a random value below half.
 */
export function newId<T extends string>(): T {
  if (used + BYTES_PER_ID > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += BYTES_PER_ID));
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    count = random.readUInt16BE(8) & (LAST_COUNT >> 1);
  } else if (count < LAST_COUNT) {
    count += 1;
  } else {
    lastMs += 1;
    count = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const counter = count.toString(16).padStart(3, '0');
  const tail = random.toString('hex', 0, 8);
  const variant = (8 | (random.readUInt8(0) & 3)).toString(16);
  // The brand exists at compile time only.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}` as T;
}
