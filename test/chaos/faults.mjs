// What goes wrong, and how: each fault is one thing that happens to real installations.
import { kill, pause } from './world.mjs';

/** @type {Record<string, { weight: number, engines: string[], strike: (world: any, seat: any, random: () => number) => Promise<boolean | void> }>} */
const FAULTS = {
  'server killed': { weight: 4, engines: ['sqlite', 'postgres'], strike: (_world, seat) => seat.end('SIGKILL') },
  'server told to stop': { weight: 1, engines: ['sqlite', 'postgres'], strike: (_world, seat) => seat.end('SIGTERM') },
  'executor killed': { weight: 4, engines: ['sqlite', 'postgres'], strike: async (world, seat) => kill(world.executorOf(seat.server)) },
  'server and executor killed': {
    weight: 2,
    engines: ['sqlite', 'postgres'],
    strike: async (world, seat) => {
      const executor = world.executorOf(seat.server);
      const ending = seat.end('SIGKILL');
      kill(executor);
      await ending;
    },
  },
  'server stands still': {
    weight: 1,
    engines: ['sqlite', 'postgres'],
    strike: async (_world, { server }, random) => {
      kill(server.pid, 'SIGSTOP');
      await pause(200 + random() * 800);
      kill(server.pid, 'SIGCONT');
    },
  },
  'database file locked': { weight: 2, engines: ['sqlite'], strike: (world, _seat, random) => world.lockFile(100 + random() * 900) },
  'database ends its connections': { weight: 4, engines: ['postgres'], strike: (world) => world.terminateBackends() },
  'line to the database cut': { weight: 4, engines: ['postgres'], strike: (world, _seat, random) => world.line.cut(random() * 500) },
};

/** Now and then both servers are down together; mostly one of them is there to go on. */
const BOTH_AT_ONCE_SPARED = 0.6;

/**
 * Strikes at random moments until it is told to stop; answers with how often each fault came. The product gets on between two faults,
 * so that a slow machine sees as many of them as a quick one.
 */
export async function strikeUntil(isOver, { world, engine, random }) {
  const possible = Object.entries(FAULTS).filter(([, { engines }]) => engines.includes(engine));
  const deck = possible.flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
  const counts = Object.fromEntries(possible.map(([name]) => [name, 0]));
  while (!isOver()) {
    const due = world.answers + 1 + random() * 6;
    while (world.answers < due && !isOver()) await pause(20);
    await pause(random() * 300);
    const up = world.seats.filter(({ isUp }) => isUp);
    const seat = up[Math.floor(random() * up.length)];
    const drawn = deck[Math.floor(random() * deck.length)];
    if (!seat || isOver()) continue;
    const isSpared = up.length === 1 && drawn.startsWith('server') && random() < BOTH_AT_ONCE_SPARED;
    const name = isSpared ? 'executor killed' : drawn;
    if ((await FAULTS[name].strike(world, seat, random)) !== false) counts[name] += 1;
  }
  return counts;
}
