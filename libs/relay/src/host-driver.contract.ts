import { setTimeout as after } from 'node:timers/promises';
import type { HostAbility } from '#contracts';
import { AppError } from '#platform';
import type { HostDriver, HostEvent, HostFacts, HostGoal, RaisedAsk } from './host-driver.js';

/** A driver with a host behind it whose agent does what marker words say. */
export interface DriverWorld {
  readonly driver: HostDriver;
  /** A folder that the agent may work in; registered where the host wants that. */
  readonly cwd: string;
  readonly close: () => Promise<void>;
}

const MANY_MS = 20_000;

type Found<T> = T | undefined | false;

/** What every driver promises, as far as its host is able. `make` brings one up that is not connected yet. */
export function describeHostDriver(make: () => Promise<DriverWorld>, able: readonly HostAbility[]): void {
  let world: DriverWorld;
  let driver: HostDriver;
  let facts: HostFacts;
  const told: HostEvent[] = [];
  const can = (...wanted: readonly HostAbility[]): boolean => wanted.every((ability) => able.includes(ability));
  const until = async <T>(what: string, look: () => Found<T> | Promise<Found<T>>): Promise<T> => {
    for (const end = Date.now() + MANY_MS; Date.now() < end;) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      await after(20);
    }
    throw new Error(`Waited too long for ${what}; told: ${told.map(({ type }) => type).join(' ')}`);
  };
  const open = async (): Promise<string> => (await driver.createSession({ cwd: world.cwd })).id;
  const idle = (id: string): Promise<void> => driver.whenIdle(id, AbortSignal.timeout(MANY_MS));
  const asked = (sessionId: string): Promise<RaisedAsk> =>
    until('an ask', () => told.flatMap((event) => (event.type === 'ask' && event.ask.sessionId === sessionId ? [event.ask] : []))[0]);
  const ended = (handle: string): Promise<string> =>
    until('the end of an ask', () => told.flatMap((event) => (event.type === 'askEnded' && event.handle === handle ? [event.end] : []))[0]);
  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
    return 'no error';
  };
  const ref = ({ id, revision }: HostGoal): { id: string; revision: number } => ({ id, revision });

  beforeAll(async () => {
    world = await make();
    ({ driver } = world);
    driver.events.subscribe((event) => told.push(event));
    facts = await driver.connect(AbortSignal.timeout(MANY_MS));
    if (able.includes('workspaces')) await driver.registerWorkspace(world.cwd);
  }, 60_000);

  afterAll(() => world.close());
  beforeEach(() => {
    told.splice(0);
  });

  it('says exactly what its host is able to do', () => {
    expect([...facts.abilities].sort()).toEqual([...able].sort());
    expect(facts.limits.length > 0).toBe(able.length < 9);
  });

  it('opens a session, tells of it, and lists it', async () => {
    const session = await driver.createSession({ cwd: world.cwd });
    expect(session).toMatchObject({ cwd: world.cwd, status: 'idle' });
    await until('the session', () => told.some((event) => event.type === 'session' && event.session.id === session.id));
    expect((await driver.sessions()).find(({ id }) => id === session.id)).toMatchObject({ cwd: world.cwd, status: 'idle' });
  });

  it('carries a message to the agent, tells how its turn goes, and waits for its end', async () => {
    const id = await open();
    await driver.send(id, 'say something');
    await until('a running turn', () =>
      told.some((event) => event.type === 'status' && event.sessionId === id && event.status === 'running'),
    );
    await idle(id);
    const lines = await until('the end of the turn', () => {
      const log = told.flatMap((event) => (event.type === 'log' && event.sessionId === id ? [event.event] : []));
      return log.some(({ type }) => type === 'turn/end') && log;
    });
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + (lines[0]?.seq ?? 0)));
    expect(lines.findLast(({ type }) => type === 'turn/end')?.data['reason']).toMatchObject({ kind: 'completed' });
    expect(lines.some(({ type }) => type === 'user/message')).toBe(true);
    expect(lines.some(({ type }) => type === 'assistant/message')).toBe(true);
  });

  it('cancels a turn', async () => {
    const id = await open();
    await driver.send(id, 'DO_SLOW');
    await until('a running turn', () =>
      told.some((event) => event.type === 'status' && event.sessionId === id && event.status === 'running'),
    );
    await after(300);
    await driver.cancel(id);
    await idle(id);
    const end = await until('the end of the turn', () =>
      told
        .flatMap((event) => (event.type === 'log' && event.sessionId === id && event.event.type === 'turn/end' ? [event.event] : []))
        .at(-1),
    );
    expect(end.data['reason']).toMatchObject({ kind: 'aborted' });
  });

  it('knows no session but its own', async () => {
    expect(await codeOf(driver.send('session-00000000', 'hello'))).toBe('SESSION_NOT_FOUND');
    expect(await codeOf(driver.cancel('session-00000000'))).toBe('SESSION_NOT_FOUND');
  });

  it('tells of an approval, and the answer is applied', async () => {
    const id = await open();
    await driver.send(id, 'DO_ESCALATE');
    const ask = await asked(id);
    expect(ask.kind).toBe('approval');
    expect(ask.callId).not.toBe('');
    expect(await driver.answerApproval(ask.handle, 'allowed-once')).toBe(true);
    expect(await ended(ask.handle)).toBe('applied');
    await idle(id);
    expect(await driver.answerApproval(ask.handle, 'rejected')).toBe(false);
  });

  it('rejects an approval', async () => {
    const id = await open();
    await driver.send(id, 'DO_ESCALATE');
    const ask = await asked(id);
    expect(await driver.answerApproval(ask.handle, 'rejected')).toBe(true);
    expect(await ended(ask.handle)).toBe('applied');
    await idle(id);
  });

  it('of two answers at once exactly one is accepted', async () => {
    const id = await open();
    await driver.send(id, 'DO_ESCALATE');
    const { handle } = await asked(id);
    const both = await Promise.all([driver.answerApproval(handle, 'allowed-once'), driver.answerApproval(handle, 'rejected')]);
    expect(both.filter(Boolean)).toHaveLength(1);
    await idle(id);
  });

  it('an approval whose turn is cancelled ends withdrawn', async () => {
    const id = await open();
    await driver.send(id, 'DO_ESCALATE');
    const ask = await asked(id);
    await driver.cancel(id);
    expect(await ended(ask.handle)).toBe('withdrawn');
    expect(await driver.answerApproval(ask.handle, 'allowed-once')).toBe(false);
    await idle(id);
  });

  if (can('eventLog')) {
    it('reads the log of a session from any place, dense', async () => {
      const id = await open();
      await driver.send(id, 'DO_BASH');
      await idle(id);
      const log = await driver.log(id, 0);
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
      expect(log.map(({ type }) => type)).toEqual(expect.arrayContaining(['turn/start', 'tool/call', 'tool/result', 'turn/end']));
      expect((await driver.log(id, 3))[0]?.seq).toBe(3);
      expect(await codeOf(driver.log('session-00000000', 0))).toBe('SESSION_NOT_FOUND');
    });

    it('an approval shows the arguments of the very call that asks', async () => {
      const id = await open();
      await driver.send(id, 'DO_ESCALATE');
      const ask = await asked(id);
      const call = (await driver.log(id, 0)).findLast(({ type }) => type === 'tool/call');
      expect(call?.data).toMatchObject({ callId: ask.callId });
      expect(ask).toMatchObject({ arguments: call?.data['arguments'], toolName: 'bash' });
      await driver.cancel(id);
      await idle(id);
    });

    it('gives a session a title', async () => {
      const id = await open();
      await driver.rename(id, 'Named by a person');
      expect((await driver.sessions()).find((session) => session.id === id)?.title).toBe('Named by a person');
    });
  } else {
    it('refuses to read a log', async () => {
      expect(await codeOf(driver.log(await open(), 0))).toBe('HOST_CANNOT');
    });
  }

  if (can('questions')) {
    it('tells of a batch of questions, and takes all answers at once', async () => {
      const id = await open();
      await driver.send(id, 'DO_ASK');
      const ask = await asked(id);
      expect(ask).toMatchObject({
        kind: 'questions',
        questions: [{ id: 'q1', options: [{ label: 'red' }, { label: 'blue' }] }, { id: 'q2' }],
      });
      const answers = [
        { id: 'q1', selected: ['blue'] },
        { id: 'q2', selected: [], custom: 'forty-two' },
      ];
      expect(await driver.answerQuestions(ask.handle, answers)).toBe(true);
      expect(await ended(ask.handle)).toBe('applied');
      await idle(id);
      expect(JSON.stringify(await driver.log(id, 0))).toContain('forty-two');
      expect(await driver.answerQuestions(ask.handle, answers)).toBe(false);
    });

    it('questions whose turn is cancelled end withdrawn', async () => {
      const id = await open();
      await driver.send(id, 'DO_ASK');
      const ask = await asked(id);
      await driver.cancel(id);
      expect(await ended(ask.handle)).toBe('withdrawn');
      await idle(id);
    });
  } else {
    it('refuses to answer questions', async () => {
      expect(await codeOf(driver.answerQuestions('any', []))).toBe('HOST_CANNOT');
    });
  }

  if (can('goals')) {
    it('a goal starts at revision 1, armed, and there is one at a time', async () => {
      const id = await open();
      expect(await driver.goal(id)).toBeNull();
      const goal = await driver.createGoal(id, { objective: 'DO_SLOW one', maxRounds: 3 });
      expect(goal).toMatchObject({ revision: 1, phase: 'active', activation: 'armed', maxRounds: 3 });
      expect(await codeOf(driver.createGoal(id, { objective: 'other' }))).toBe('GOAL_ALREADY_EXISTS');
      await driver.cancel(id);
      await idle(id);
    });

    it('a stale pause is refused and leaves the turn running; a pause in flight is revision + 1', async () => {
      const id = await open();
      const first = await driver.createGoal(id, { objective: 'DO_SLOW one', maxRounds: 3 });
      await until('the first round', async () => (await driver.goal(id))?.roundsStarted === 1);
      const edited = await driver.editGoal(id, ref(first), { objective: 'DO_SLOW two' });
      expect(edited.revision).toBe(2);
      expect(await codeOf(driver.pauseGoal(id, ref(first)))).toBe('REVISION_CONFLICT');
      expect((await driver.sessions()).find((session) => session.id === id)?.status).toBe('running');
      const paused = await driver.pauseGoal(id, ref(edited));
      expect(paused).toMatchObject({ revision: 3, phase: 'paused', activation: 'disarmed' });
      expect(await codeOf(driver.pauseGoal(id, ref(paused)))).toBe('GOAL_INVALID_TRANSITION');
    });

    it('the round budget blocks; a higher one lets it go on; clearing leaves none', async () => {
      const id = await open();
      await driver.createGoal(id, { objective: 'say ok', maxRounds: 1 });
      const blocked = await until('the cap', async () => {
        const goal = await driver.goal(id);
        return goal?.phase === 'blocked' && goal;
      });
      expect(blocked).toMatchObject({ blockedReason: { code: 'round-limit' }, activation: 'disarmed' });
      expect(await codeOf(driver.resumeGoal(id, ref(blocked)))).toBe('GOAL_INVALID_TRANSITION');
      const raised = await driver.editGoal(id, ref(blocked), { maxRounds: 2, objective: 'DO_COMPLETE it' });
      await driver.resumeGoal(id, ref(raised));
      const done = await until('the agent to complete it', async () => {
        const goal = await driver.goal(id);
        return goal?.phase === 'complete' && goal;
      });
      await idle(id);
      await driver.clearGoal(id, ref(done));
      expect(await driver.goal(id)).toBeNull();
      expect(await codeOf(driver.clearGoal(id, ref(done)))).toBe('GOAL_NOT_FOUND');
    });

    it('refuses what is no goal, and tells of every change', async () => {
      const id = await open();
      expect(await codeOf(driver.createGoal(id, { objective: '  ' }))).toBe('GOAL_INVALID');
      await driver.createGoal(id, { objective: 'DO_FAIL 400', maxRounds: 3 });
      await until('the change', () => told.some((event) => event.type === 'goal' && event.sessionId === id && event.goal?.revision === 1));
      const stopped = await until('a disarmed goal', async () => {
        const goal = await driver.goal(id);
        return goal?.activation === 'disarmed' && goal;
      });
      expect(stopped).toMatchObject({ phase: 'active', revision: 1 });
    });
  } else {
    it('refuses goals', async () => {
      const id = await open();
      expect(await codeOf(driver.goal(id))).toBe('HOST_CANNOT');
      expect(await codeOf(driver.createGoal(id, { objective: 'any' }))).toBe('HOST_CANNOT');
      expect(await codeOf(driver.pauseGoal(id, { id: 'any', revision: 1 }))).toBe('HOST_CANNOT');
    });
  }

  if (can('workspaces')) {
    it('knows registered folders, once each, and opens no session elsewhere', async () => {
      const again = await driver.registerWorkspace(world.cwd);
      expect((await driver.workspaces()).filter(({ path }) => path === world.cwd)).toHaveLength(1);
      expect(again.path).toBe(world.cwd);
      expect(await codeOf(driver.createSession({ cwd: '/nowhere/at/all' }))).toBe('WORKSPACE_NOT_FOUND');
    });
  } else {
    it('refuses to list workspaces', async () => {
      expect(await codeOf(driver.workspaces())).toBe('HOST_CANNOT');
    });
  }

  if (can('credentials')) {
    it('says whether a credential is there, never its value', async () => {
      const states = await driver.credentials(['DEEPSEEK_API_KEY', 'NOT_A_KEY']);
      expect(states).toEqual([
        { name: 'DEEPSEEK_API_KEY', configured: true, source: 'env' },
        { name: 'NOT_A_KEY', configured: false, source: null },
      ]);
    });
  } else {
    it('refuses to say anything of credentials', async () => {
      expect(await codeOf(driver.credentials(['ANY']))).toBe('HOST_CANNOT');
    });
  }

  it('after it was closed every call is refused, and nothing is told', async () => {
    const id = await open();
    await driver.close();
    told.splice(0);
    expect(await codeOf(driver.send(id, 'hello'))).toBe('HOST_UNAVAILABLE');
    expect(told).toEqual([]);
  });
}
