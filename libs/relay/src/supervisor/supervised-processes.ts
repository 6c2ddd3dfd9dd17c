import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError, PlatformConfig } from '#platform';
import { type HostLaunch, HostProcesses, type HostRun } from '../ports.js';
import { HostFolder } from './host-folder.js';
import { HostPackages } from './host-packages.js';
import { identityOf } from './process-identity.js';

const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 20;
const GRACE_MS = 5_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Starts host processes: with our Node.js, our versions, a home of their own, and no variable that we did not name. */
@Injectable()
export class SupervisedProcesses extends HostProcesses {
  constructor(
    private readonly packages: HostPackages,
    private readonly platform: PlatformConfig,
  ) {
    super();
  }

  override async start(launch: HostLaunch, started: (run: HostRun) => Promise<void>, signal: AbortSignal): Promise<HostRun> {
    if (!this.packages.view.isInstalled)
      throw new AppError('HOST_UNAVAILABLE', `The agent host is not installed; run ${this.packages.view.installCommand}`);
    const folder = new HostFolder(join(this.platform.dataDir, 'hosts', launch.id));
    folder.prepare();
    const { provider, model } = launch;
    const { path, token } = folder.writeLaunch({ provider, model, version: this.packages.version });
    const child = this.#spawn(folder, launch, path);
    const { pid } = child;
    if (pid === undefined) throw new AppError('HOST_UNAVAILABLE', 'The host process could not be started');
    const run: HostRun = { pid, identity: identityOf(pid) ?? null, port: null, token };
    try {
      await started(run);
      const port = await this.#port(folder, child, signal);
      return { ...run, port };
    } catch (error) {
      await this.end(run);
      throw error;
    } finally {
      folder.dropLaunch();
    }
  }

  override isAlive({ pid, identity }: HostRun): boolean {
    return identity !== null && identityOf(pid) === identity;
  }

  override async end(run: HostRun): Promise<void> {
    const kill = (signal: NodeJS.Signals): void => {
      try {
        if (this.isAlive(run)) process.kill(-run.pid, signal);
      } catch {
        // it ended between the look and the signal
      }
    };
    kill('SIGTERM');
    for (const end = Date.now() + GRACE_MS; this.isAlive(run) && Date.now() < end;) await after(LOOK_EVERY_MS);
    kill('SIGKILL');
    while (this.isAlive(run)) await after(LOOK_EVERY_MS);
  }

  #spawn(folder: HostFolder, { key, baseUrl }: HostLaunch, launchFile: string): ChildProcess {
    const log = folder.openLog();
    const env = {
      ...{ PATH: `${dirname(process.execPath)}:${PATH}`, HOME: folder.home, TMPDIR: folder.temporary, LANG: 'C.UTF-8' },
      ...{ DSH_HOME: folder.state, DSH_TELEMETRY_DISABLED: '1', COUNTERSIGN_LAUNCH: launchFile },
      ...(key !== null && { DEEPSEEK_API_KEY: key }),
      ...(baseUrl !== null && { DEEPSEEK_BASE_URL: baseUrl }),
    };
    const args = [this.packages.entry, '--profile', 'relay'];
    const child = spawn(process.execPath, args, { cwd: folder.home, env, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    child.on('error', () => undefined); // the missing pid says it
    child.unref();
    return child;
  }

  async #port(folder: HostFolder, child: ChildProcess, signal: AbortSignal): Promise<number> {
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end;) {
      signal.throwIfAborted();
      const answer = folder.answer();
      if (answer) return answer.port;
      if (hasEnded()) throw new AppError('HOST_UNAVAILABLE', `The host ended while it started: ${folder.lastWords()}`);
      await after(LOOK_EVERY_MS);
    }
    throw new AppError('HOST_UNAVAILABLE', 'The host did not start in time');
  }
}
