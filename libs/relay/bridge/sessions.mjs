// Verbs over the host's sessions.
import { randomUUID } from 'node:crypto';
import { installModelSelection } from '@deepseek-ai/dsh-agent';
import { createUserMessage } from '@deepseek-ai/dsh-llm';
import { SessionId } from '@deepseek-ai/dsh-session';
import { Refusal } from './refusal.mjs';

const HOLD_MS = 25_000;

export function sessionVerbs({ ctx, frames, managed, launch }) {
  const find = (id) => ctx.agents.get(SessionId(id));
  const titleOf = (session) => ctx.get('sessionTitle')?.get(session)?.title ?? null;

  const liveView = (agent) => {
    const { session } = agent;
    const { cwd, createdAt } = session.header;
    return { id: agent.id, cwd, createdAt, status: agent.status, seq: session.seq, title: titleOf(session) };
  };
  const coldView = (header) => {
    const title = ctx.get('sessionProjectionCache')?.cachedSnapshot(header)?.values?.title?.title;
    return {
      id: header.id,
      cwd: header.cwd,
      createdAt: header.createdAt,
      status: null,
      seq: null,
      title: typeof title === 'string' ? title : null,
    };
  };
  const headers = () => ctx.sessionPersistence.list();
  const live = async (id) => find(id) ?? (await missing(id));
  const missing = async (id) => {
    const isKnown = (await headers()).some((header) => header.id === id);
    throw isKnown ? new Refusal('SESSION_NOT_LIVE', 'The session is not loaded') : new Refusal('SESSION_NOT_FOUND', 'No such session');
  };
  const selection = (agent) => {
    const own = launch.provider && launch.model ? { provider: launch.provider, model: launch.model } : undefined;
    return agent ?? own ?? ctx.get('agentDefaultModel').currentSelection();
  };
  // What `setup` returns is taken for a commit, so it returns nothing.
  const setup = (current) => (agentCtx) => void installModelSelection(agentCtx, { current, assembled: undefined });
  const manage = (handle) => {
    managed.add(handle.agent.id);
    frames.add({ type: 'session', session: liveView(handle.agent) });
    return liveView(handle.agent);
  };

  return {
    sessions: async () => {
      const all = ctx.agents.list();
      const ids = new Set(all.map(({ id }) => id));
      return [...all.map(liveView), ...(await headers()).filter(({ id }) => !ids.has(id)).map(coldView)];
    },
    log: async ({ sessionId, since }) => {
      const agent = find(sessionId);
      if (!agent && !(await headers()).some(({ id }) => id === sessionId)) await missing(sessionId);
      const events = agent ? agent.session.events : (await ctx.sessionPersistence.inspect(SessionId(sessionId))).events;
      // `seq` is dense from 0: it is the place in the list as well.
      return events.slice(since).map(({ type, seq, time, data }) => ({ type, seq, time, data }));
    },
    createSession: async ({ cwd, title, agent }) => {
      const workspace = await workspaceOf(ctx, cwd);
      const current = selection(agent);
      const { provider, model } = current;
      const sessionId = SessionId(`session-${randomUUID()}`);
      const handle = await ctx.agents.create({
        sessionId,
        meta: { cwd: workspace?.path ?? cwd },
        agentOptions: { provider, model },
        setup: setup(current),
      });
      await workspace?.attachSession(handle.agent.id);
      if (title !== undefined) await ctx.get('sessionTitle')?.rename(handle.agent.session, title);
      return manage(handle);
    },
    resume: async ({ sessionId }) => {
      const agent = find(sessionId);
      if (agent) {
        managed.add(agent.id);
        return liveView(agent);
      }
      if (!(await headers()).some(({ id }) => id === sessionId)) await missing(sessionId);
      return manage(await ctx.agents.resume({ resumeSessionId: SessionId(sessionId), setup: setup(selection()) }));
    },
    send: async ({ sessionId, text }) => {
      (await live(sessionId)).followup(createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } }));
    },
    cancel: async ({ sessionId }) => {
      (await live(sessionId)).cancel({ kind: 'user' });
    },
    /** Held until the session is idle, but not for ever: the caller asks again. */
    idle: async ({ sessionId }) => {
      const agent = await live(sessionId);
      let timer;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, HOLD_MS, false)));
      const isIdle = await Promise.race([agent.whenIdle().then(() => true), late]);
      clearTimeout(timer);
      return { isIdle };
    },
    rename: async ({ sessionId, title }) => {
      const service = ctx.get('sessionTitle');
      if (!service) throw new Refusal('HOST_CANNOT', 'This host keeps no titles');
      await service.rename((await live(sessionId)).session, title);
    },
  };
}

/** Undefined: this host keeps no registry, and any folder will do. */
async function workspaceOf(ctx, cwd) {
  const registry = ctx.get('workspaceRegistry');
  if (!registry) return undefined;
  const found = await registry.resolveByPath(cwd).catch(() => undefined); // the folder is not there
  if (!found) throw new Refusal('WORKSPACE_NOT_FOUND', 'The host does not know this folder');
  return found;
}
