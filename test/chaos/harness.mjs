// Runs many flows while servers, executors and database connections are killed at random moments, then checks everything from outside.
import { checkFlow, checkLedger, checkNothingLeft, settle } from './checks.mjs';
import { strikeUntil } from './faults.mjs';
import { runFlow } from './flow.mjs';
import { pause, World } from './world.mjs';

const CLIENTS = 6;

/**
 * @param {{ engine: 'sqlite' | 'postgres', databaseUrl?: string | undefined, flows: number, seed: number }} options
 * @returns {Promise<{ wrong: string[], flows: number, acknowledged: number, ends: Record<string, number>, faults: Record<string, number>, receipts: number }>}
 */
export async function runChaos({ engine, databaseUrl, flows, seed }) {
  const random = seeded(seed);
  const world = await World.open({ databaseUrl });
  try {
    const prefix = `c${seed}x${process.pid}x`;
    const heads = [];
    const wrong = [];
    const done = [];
    let next = 0;
    let isOver = false;
    const client = async () => {
      const own = seeded(seed + 1_000 * (next + 1));
      for (let number = next++; number < flows; number = next++) {
        const mark = `${prefix}${String(number).padStart(4, '0')}`;
        try {
          done.push(await runFlow(world, own, mark));
        } catch (error) {
          wrong.push(`stuck: ${mark}: ${error.message}`);
        }
        if (number % 10 === 0) await keepHead(world, own, heads);
      }
    };
    const striking = strikeUntil(() => isOver, { world, engine, random });
    await Promise.all(Array.from({ length: CLIENTS }, client));
    isOver = true;
    const faults = await striking;
    for (const seat of world.seats) await seat.back();

    wrong.push(...world.falls);
    const person = await steady(() => world.person(random));
    wrong.push(...(await settle(person)));
    const ends = {};
    for (const flow of done) {
      const { wrong: found, end } = await checkFlow(world, person, flow);
      wrong.push(...found);
      ends[end] = (ends[end] ?? 0) + 1;
    }
    const ledger = await checkLedger(person, heads);
    wrong.push(...ledger.wrong);
    await world.stop();
    wrong.push(...(await checkNothingLeft(world, prefix)));
    const acknowledged = done.reduce((sum, { told }) => sum + told.size, 0);
    return { wrong, flows: done.length, acknowledged, ends, faults, receipts: ledger.size };
  } finally {
    await world.remove();
  }
}

/** A head that an outsider has seen, to be found again in the ledger later. */
async function keepHead(world, random, heads) {
  try {
    const person = await world.person(random);
    heads.push(await person.get('/api/receipts/checkpoint'));
  } catch {
    // that server is down at this moment
  }
}

/** The first moments after a fault may still fail. */
async function steady(attempt) {
  for (let tried = 0; tried < 100; tried += 1) {
    try {
      return await attempt();
    } catch {
      await pause(100);
    }
  }
  return attempt();
}

/** mulberry32: the same seed gives the same choices. When a process is hit also depends on the machine. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
