import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ScheduledWork } from './scheduled-work.js';

let work: ScheduledWork;
beforeEach(() => {
  Logger.overrideLogger(false);
  work = new ScheduledWork();
});
afterEach(() => work.onModuleDestroy());

it('never does the same work twice at once', async () => {
  let running = 0;
  let most = 0;
  let turns = 0;
  work.every(5, 'slow', async () => {
    most = Math.max(most, (running += 1));
    await sleep(20);
    running -= 1;
    turns += 1;
  });
  await sleep(100);
  expect(most).toBe(1);
  expect(turns).toBeGreaterThan(1);
});

it('goes on after a failure, thrown at once or later', async () => {
  let turns = 0;
  work.every(5, 'failing', () => {
    turns += 1;
    if (turns % 2 === 0) throw new Error('at once');
    return Promise.reject(new Error('later'));
  });
  await sleep(60);
  expect(turns).toBeGreaterThan(2);
});

it('waits at the end for what still works, and starts nothing more', async () => {
  let isDone = false;
  let turns = 0;
  work.every(5, 'last', async () => {
    turns += 1;
    await sleep(40);
    isDone = true;
  });
  await sleep(15);
  await work.onModuleDestroy();
  expect([isDone, turns]).toEqual([true, 1]);
  await sleep(30);
  expect(turns).toBe(1);
});
