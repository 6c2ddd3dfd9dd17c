import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { HostPackage } from '#contracts';
import { RelayConfig } from '../relay.config.js';

/** The lock that is ours: the same place in the sources and in the build. */
const LOCK_FOLDER = fileURLToPath(new URL('../../host/', import.meta.url));
const LOCK_FILES = ['package.json', 'package-lock.json'];
const ENTRY = ['node_modules', '@deepseek-ai', 'dsh', 'lib', 'bin.js'];
const TOLD_EVERY_MS = 1_000;
/** Peer resolution of these packages takes npm many minutes, and none of their install scripts is needed. */
const NPM = ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** What an installation tells while it goes on. */
export interface InstallProgress {
  readonly seconds: number;
  readonly packages: number;
  readonly ofPackages: number;
}

/** Owner of the installed host packages: exactly the versions of our lock, in a folder of their own. */
@Injectable()
export class HostPackages {
  readonly folder: string;
  readonly #version: string;
  readonly #count: number;

  constructor(config: RelayConfig) {
    const digest = createHash('sha256');
    for (const name of LOCK_FILES) digest.update(readFileSync(join(LOCK_FOLDER, name)));
    const lock = JSON.parse(readFileSync(join(LOCK_FOLDER, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly version?: string }>>;
    };
    this.#version = lock.packages['node_modules/@deepseek-ai/dsh']?.version ?? '';
    this.#count = Object.keys(lock.packages).length - 1;
    this.folder = join(config.packagesDir, `${this.#version}-${digest.digest('hex').slice(0, 12)}`);
  }

  get view(): HostPackage {
    const isInstalled = existsSync(this.entry);
    return { isInstalled, version: this.#version, folder: this.folder, installCommand: 'npx countersign host install' };
  }

  /** What Node.js is started with. */
  get entry(): string {
    return join(this.folder, ...ENTRY);
  }

  get version(): string {
    return this.#version;
  }

  /** False: it was there. It comes into its place whole, so that a second installer does no harm. */
  async install(tell: (progress: InstallProgress) => void): Promise<boolean> {
    if (this.view.isInstalled) return false;
    const fresh = `${this.folder}.${String(process.pid)}`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    try {
      for (const name of LOCK_FILES) copyFileSync(join(LOCK_FOLDER, name), join(fresh, name));
      await this.#npm(fresh, tell);
      rmSync(this.folder, { recursive: true, force: true });
      renameSync(fresh, this.folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    return true;
  }

  async #npm(cwd: string, tell: (progress: InstallProgress) => void): Promise<void> {
    const since = performance.now();
    const say = (): void => {
      tell({
        seconds: Math.round((performance.now() - since) / 1_000),
        packages: Math.min(installed(cwd), this.#count),
        ofPackages: this.#count,
      });
    };
    const timer = setInterval(say, TOLD_EVERY_MS);
    const child = spawn('npm', NPM, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-4_000)));
    try {
      await new Promise<void>((resolve, reject) => {
        child.once('error', () => reject(new Error('npm could not be started; it comes with Node.js')));
        child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`npm could not install the host: ${words.trim()}`))));
      });
      say();
    } finally {
      clearInterval(timer);
    }
  }
}

/** How many packages lie in the folder so far. */
function installed(folder: string): number {
  const names = (path: string): readonly string[] => (existsSync(path) ? readdirSync(path) : []);
  const modules = join(folder, 'node_modules');
  return names(modules).flatMap((name) => (name.startsWith('@') ? names(join(modules, name)) : name.startsWith('.') ? [] : [name])).length;
}
