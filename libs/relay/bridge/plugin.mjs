// Runs inside the agent host and gives the server that started it one loopback door: JSON verbs and one stream of events.
// It keeps nothing: asks are rows on the other side. Here are only the host's live promises, and how each of them ended.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Asks } from './asks.mjs';
import { Door } from './door.mjs';
import { Frames } from './frames.mjs';
import { sessionVerbs } from './sessions.mjs';
import { goalVerbs, toGoal } from './goals.mjs';
import { accountVerbs } from './accounts.mjs';

export const name = 'countersign-bridge';
/** Without these there is nothing to bridge. Everything else may be missing, and is then said to be. */
export const inject = ['agents', 'sessions', 'sessionPersistence'];

const SEAMS = [
  ...inject,
  'agentDefaultModel',
  'approval',
  'goals',
  'userQuestions',
  'workspaceRegistry',
  'credentials',
  'sessionTitle',
  'sessionProjectionCache',
];
const SEAMS_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 25;

export function apply(ctx) {
  const launch = readLaunch();
  const frames = new Frames(randomUUID());
  const asks = new Asks(ctx, frames);
  const managed = new Set();
  const context = { ctx, frames, asks, managed, launch };
  listen(context);
  const door = new Door({
    token: launch.token,
    frames,
    verbs: {
      health: () => health(context),
      ...sessionVerbs(context),
      ...goalVerbs(context),
      ...accountVerbs(context),
      asks: () => asks.view(),
      answer: ({ handle, value }) => ({ accepted: asks.answer(handle, value) }),
    },
  });
  ctx.effect(() => {
    void open(context, door);
    return () => {
      asks.stop();
      return door.close();
    };
  });
}

/** The launch file is for one reading: the token must not stand where the agent's own commands can look. */
function readLaunch() {
  const path = process.env.COUNTERSIGN_LAUNCH;
  delete process.env.COUNTERSIGN_LAUNCH;
  const launch = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  if (typeof launch.token !== 'string' || launch.token.length < 32) throw new Error('The launch file has no usable token');
  return launch;
}

/** Opens the door when the seams are there, or when they had their time; then says where it is. */
async function open({ ctx, asks, launch, frames }, door) {
  for (const end = Date.now() + SEAMS_WITHIN_MS; Date.now() < end && SEAMS.some((seam) => ctx.get(seam) === undefined);) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  asks.provideQuestions();
  const port = await door.open();
  const half = `${launch.answerFile}.part`;
  writeFileSync(half, JSON.stringify({ port, pid: process.pid, launchId: frames.launchId }), { mode: 0o600 });
  renameSync(half, launch.answerFile);
}

function health({ ctx, frames, asks, launch }) {
  const seams = Object.fromEntries(SEAMS.map((seam) => [seam, ctx.get(seam) !== undefined]));
  seams.userQuestions &&= asks.providesQuestions;
  return { launchId: frames.launchId, seq: frames.seq, pid: process.pid, node: process.version, version: launch.version ?? null, seams };
}

/** Everything the host tells, in its own order, as frames. */
function listen({ ctx, frames, asks, managed }) {
  ctx.on('approval/request', (request, next) => (managed.has(request.agent.id) ? asks.approval(request) : next()));
  ctx.on('session/event', (session, event) => {
    frames.add({ type: 'log', sessionId: session.id, event: { type: event.type, seq: event.seq, time: event.time, data: event.data } });
    asks.heard(session.id, event);
  });
  ctx.on('goal/changed', ({ agent, change }) => {
    const { operation, ref } = change;
    const goal = ctx.get('goals')?.get(agent);
    frames.add({
      type: 'goal',
      sessionId: agent.id,
      operation,
      ref: { id: ref.id, revision: ref.revision },
      goal: goal ? toGoal(goal) : null,
    });
  });
  ctx.on('agent/status', ({ agent, status }) => frames.add({ type: 'status', sessionId: agent.id, status }));
  ctx.on('agent/disposed', ({ agent }) => managed.delete(agent.id));
}
