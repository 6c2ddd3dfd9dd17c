import { TestClock } from '../../../test/support/clock.js';
import { engines } from '../../../test/support/engines.js';
import { Readiness } from './readiness.js';

it.each(engines)('says what cannot work without saying why, and asks once a second at most, on %s', async (_name, open) => {
  const db = await open();
  const clock = new TestClock();
  const readiness = new Readiness(db, clock);
  let isUp = true;
  let asked = 0;
  readiness.register('executor', () => {
    asked += 1;
    return isUp ? Promise.resolve() : Promise.reject(new Error('secret reason'));
  });
  expect(await readiness.ask()).toEqual({ ready: true, checks: { database: 'ok', executor: 'ok' } });
  isUp = false;
  expect(await readiness.ask()).toMatchObject({ ready: true });
  expect(asked).toBe(1);
  clock.at += 1_000;
  expect(await readiness.ask()).toEqual({ ready: false, checks: { database: 'ok', executor: 'failed' } });
  await db.destroy();
  clock.at += 1_000;
  expect(await readiness.ask()).toMatchObject({ ready: false, checks: { database: 'failed' } });
});
