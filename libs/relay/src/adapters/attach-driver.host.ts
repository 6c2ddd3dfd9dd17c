import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOST_ABILITIES } from '#contracts';
import { startMockModel } from '../../../../test/host/mock-model.mjs';
import { describeHostDriver } from '../host-driver.contract.js';
import { RelayConfig } from '../relay.config.js';
import { HostPackages } from '../supervisor/host-packages.js';
import { AttachDriver } from './attach-driver.js';

describe('the attach driver on the web profile of the pinned host', () =>
  describeHostDriver(
    async () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-web-host-')));
      for (const name of ['work', 'home', 'dsh']) mkdirSync(join(root, name));
      const cwd = join(root, 'work');
      const model = await startMockModel();
      const env = {
        HOME: join(root, 'home'),
        DSH_HOME: join(root, 'dsh'),
        PATH: '/usr/bin:/bin',
        DEEPSEEK_API_KEY: 'sk-mock',
        DEEPSEEK_BASE_URL: model.url,
      };
      const args = [new HostPackages(RelayConfig.read()).entry, 'web', '--no-open', '--port', '0'];
      const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] });
      return {
        driver: new AttachDriver(await addressOf(child)),
        cwd,
        close: async () => {
          child.kill('SIGKILL');
          await once(child, 'close');
          await model.close();
          rmSync(root, { recursive: true, force: true });
        },
      };
    },
    HOST_ABILITIES.filter((ability) => ability !== 'goals'),
  ));

async function addressOf(child: ChildProcess): Promise<string> {
  let words = '';
  for await (const text of child.stdout ?? []) {
    words += String(text);
    const [, url] = /(http:\/\/\S+:\d+)/.exec(words) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`The host ended: ${words}`);
}
