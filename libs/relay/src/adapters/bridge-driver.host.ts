import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST_ABILITIES, type HostId } from '#contracts';
import { newId, PlatformConfig, PlatformEnv } from '#platform';
import { startMockModel } from '../../../../test/host/mock-model.mjs';
import { describeHostDriver } from '../host-driver.contract.js';
import { RelayConfig } from '../relay.config.js';
import { HostPackages } from '../supervisor/host-packages.js';
import { SupervisedProcesses } from '../supervisor/supervised-processes.js';
import { BridgeDriver } from './bridge-driver.js';

describe('the bridge driver on the pinned host', () =>
  describeHostDriver(async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-host-')));
    const cwd = join(root, 'work');
    mkdirSync(cwd);
    const model = await startMockModel();
    const platform = new PlatformConfig(PlatformEnv.parse({ COUNTERSIGN_DATA: join(root, 'data') }));
    const processes = new SupervisedProcesses(new HostPackages(RelayConfig.read()), platform);
    const launch = { id: newId<HostId>(), provider: 'deepseek-official', model: 'deepseek-v4-flash', baseUrl: model.url, key: 'sk-mock' };
    const run = await processes.start(launch, () => Promise.resolve(), AbortSignal.timeout(60_000));
    return {
      driver: new BridgeDriver(run.port ?? 0, run.token),
      cwd,
      close: async () => {
        await processes.end(run);
        await model.close();
        rmSync(root, { recursive: true, force: true });
      },
    };
  }, HOST_ABILITIES));
