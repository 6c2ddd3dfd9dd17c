// One plan→approve→execute flow as a stubborn client does it: whatever fails is asked for again, on whichever server is up.
import { pause } from './world.mjs';

/** Longer than any recovery takes: whoever still gets no answer then is stuck. */
const INSISTS_MS = 150_000;
const CALL_WITHIN_MS = 65_000;
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const FINAL = new Set([
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'interrupted',
  'unknown',
  'expired',
  'stale',
  'rejected',
  'blocked',
]);

/** A flow, and what its client was told. Every receipt in `told` is one that the product has acknowledged. */
export async function runFlow(world, random, mark) {
  const flow = { mark, planId: undefined, sessionId: undefined, told: new Map() };
  const plan = await insist(() => propose(world, random, mark));
  Object.assign(flow, { planId: plan.plan_id, sessionId: plan.session_id, askId: plan.ask_id, digest: plan.digest });
  await insist(() => approve(world, random, flow));
  const callers = random() < 0.3 ? 2 : 1; // two clients that want the same run
  await Promise.all(Array.from({ length: callers }, () => insist(() => execute(world, random, flow))));
  return flow;
}

async function insist(attempt) {
  let last;
  for (const until = Date.now() + INSISTS_MS; Date.now() < until;) {
    try {
      return await attempt();
    } catch (error) {
      last = error;
      await pause(50);
    }
  }
  throw last;
}

async function propose(world, random, mark) {
  const server = world.pick(random);
  const { session_id } = await call(world, server, 'terminal_open_session');
  const moment = String(20 + Math.floor(random() * 50)); // hundredths of a second
  return call(world, server, 'terminal_plan', { session_id, argv: ['./mark.sh', mark, moment] });
}

/** The vote may have counted although its answer was lost; what counts is what the plan says. */
async function approve(world, random, { planId, askId, digest }) {
  const person = await world.person(random);
  await person.post(`/api/asks/${askId}/votes`, { answer: 'approve', digest }).catch(() => undefined);
  const { status } = await person.get(`/api/plans/${planId}`);
  if (status === 'awaiting_approval') throw new Error('It still waits');
}

async function execute(world, random, flow) {
  const ref = { session_id: flow.sessionId, plan_id: flow.planId };
  const answer = await call(world, world.pick(random), 'terminal_execute', ref).catch((error) => error.answer ?? Promise.reject(error));
  if (hear(flow, answer)) return;
  const person = await world.person(random);
  const { status } = await person.get(`/api/plans/${flow.planId}`);
  if (status === 'approved') throw new Error('It has not been started');
  if (!FINAL.has(status)) {
    const waited = await call(world, world.pick(random), 'terminal_wait', ref).catch((error) => error.answer ?? Promise.reject(error));
    if (hear(flow, waited)) return;
    throw new Error(`It is still ${status}`);
  }
}

/** Keeps a receipt that was acknowledged. */
function hear(flow, answer) {
  if (!answer?.receipt) return false;
  flow.told.set(answer.receipt.id, answer);
  return true;
}

async function call(world, server, name, args = {}) {
  if (!server) throw new Error('No server is up');
  const response = await fetch(server.mcp, {
    method: 'POST',
    signal: AbortSignal.timeout(CALL_WITHIN_MS),
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      authorization: `Bearer ${world.token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta: META } }),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? text : /^data: (.*)$/m.exec(text)?.[1];
  const { result, error } = JSON.parse(json ?? '{}');
  if (!result) throw new Error(`${name} answered ${response.status}: ${JSON.stringify(error)}`);
  world.answers += 1;
  if (result.isError)
    throw Object.assign(new Error(`${name}: ${result.structuredContent?.error?.code}`), { answer: result.structuredContent });
  return result.structuredContent;
}
