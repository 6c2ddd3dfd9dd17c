import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, filter } from 'rxjs';
import { describeHostDriver } from '../host-driver.contract.js';
import { startAgent } from '../supervisor/agent-process.js';
import { root } from '../../../../test/support/tree.js';
import { AcpDriver } from './acp-driver.js';

const folder = mkdtempSync(join(tmpdir(), 'countersign-acp-'));
const argv = [process.execPath, join(root, 'test/support/acp-agent.mjs')];
const aDriver = (): AcpDriver => new AcpDriver(() => startAgent({ kind: 'acp', argv, env: {} }, folder));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the driver of agents that speak the protocol', () =>
  describeHostDriver(() => {
    const driver = aDriver();
    return Promise.resolve({ driver, cwd: folder, close: () => driver.close() });
  }, ['sessions', 'messages', 'cancel', 'approvals']));

it('says once that an agent is gone, and why', async () => {
  const driver = aDriver();
  await driver.connect(AbortSignal.timeout(20_000));
  const gone = firstValueFrom(driver.events.pipe(filter(({ type }) => type === 'gone')));
  const { id } = await driver.createSession({ cwd: folder });
  await driver.send(id, 'DO_DIE');
  expect(await gone).toEqual({ type: 'gone', why: 'The agent ended (3)' });
  await expect(driver.send(id, 'hello')).rejects.toMatchObject({ code: 'HOST_UNAVAILABLE' });
});

it('says that a program could not be started', async () => {
  const driver = new AcpDriver(() => startAgent({ kind: 'acp', argv: ['/nowhere/agent'], env: {} }, folder));
  await expect(driver.connect(AbortSignal.timeout(5_000))).rejects.toMatchObject({ code: 'HOST_UNAVAILABLE' });
});
