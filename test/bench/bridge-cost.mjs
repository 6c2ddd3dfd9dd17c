// What the bridge adds to a call of the host: the real door, stream and driver, around a host that answers at once.
import { randomBytes, randomUUID } from 'node:crypto';
import { BridgeDriver } from '../../dist/server/libs/relay/src/adapters/bridge-driver.js';
import { Door } from '../../dist/server/libs/relay/bridge/door.mjs';
import { Frames } from '../../dist/server/libs/relay/bridge/frames.mjs';
import { percentile } from './measure.mjs';

const CALLS = 2_000;
const WARM_UP = 500;

/** Milliseconds at p50 and p99 of one call after the other. */
export async function measureBridge() {
  const token = randomBytes(32).toString('base64url');
  const frames = new Frames(randomUUID());
  const verbs = {
    health: () => ({ launchId: frames.launchId, seq: frames.seq, pid: process.pid, version: null, seams: { workspaceRegistry: true } }),
    asks: () => ({ seq: frames.seq, parked: [], ended: [] }),
    workspaces: () => [{ id: 'one', path: '/srv/one', title: 'one', sessionIds: [] }],
  };
  const door = new Door({ token, frames, verbs });
  const driver = new BridgeDriver(await door.open(), token);
  await driver.connect(AbortSignal.timeout(5_000));
  const times = [];
  for (let call = 0; call < CALLS; call += 1) {
    const from = performance.now();
    await driver.workspaces();
    if (call >= WARM_UP) times.push(performance.now() - from);
  }
  await driver.close();
  await door.close();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
