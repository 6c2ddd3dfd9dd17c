import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The plugin and its profile: the same place in the sources and in the build. */
const BRIDGE_FOLDER = fileURLToPath(new URL('../../bridge/', import.meta.url));
const PRIVATE = { recursive: true, mode: 0o700 } as const;
const TOKEN_BYTES = 32;

/** What the bridge says when its door is open. */
export interface BridgeAnswer {
  readonly port: number;
  readonly pid: number;
}

/** The folders of one host: its own home, state and profile, for this user only. */
export class HostFolder {
  readonly home: string;
  readonly state: string;
  readonly temporary: string;
  readonly #launchFile: string;
  readonly #answerFile: string;

  constructor(private readonly root: string) {
    this.home = join(root, 'home');
    this.state = join(root, 'dsh');
    this.temporary = join(root, 'tmp');
    this.#launchFile = join(root, 'launch.json');
    this.#answerFile = join(root, 'answer.json');
  }

  /** Lays out the profile anew, so that it is always the one of this release. */
  prepare(): void {
    const profile = join(this.state, 'profiles', 'relay');
    for (const folder of [this.root, this.home, this.state, this.temporary]) mkdirSync(folder, PRIVATE);
    rmSync(profile, { recursive: true, force: true });
    mkdirSync(join(profile, 'bridge'), PRIVATE);
    cpSync(join(BRIDGE_FOLDER, 'profile'), profile, { recursive: true });
    cpSync(BRIDGE_FOLDER, join(profile, 'bridge'), { recursive: true, filter: (path) => !path.startsWith(join(BRIDGE_FOLDER, 'profile')) });
  }

  /** Writes the file that the bridge reads once and removes. The token stands nowhere else that a command of the agent could look. */
  writeLaunch(facts: Readonly<Record<string, unknown>>): { readonly path: string; readonly token: string } {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    rmSync(this.#answerFile, { force: true });
    rmSync(this.#launchFile, { force: true });
    writeFileSync(this.#launchFile, JSON.stringify({ ...facts, token, answerFile: this.#answerFile }), { mode: 0o600, flag: 'wx' });
    return { path: this.#launchFile, token };
  }

  dropLaunch(): void {
    rmSync(this.#launchFile, { force: true });
  }

  /** Undefined: the door is not open yet. */
  answer(): BridgeAnswer | undefined {
    return existsSync(this.#answerFile) ? (JSON.parse(readFileSync(this.#answerFile, 'utf8')) as BridgeAnswer) : undefined;
  }

  /** A file for what the host writes; the one of the launch before is kept. */
  openLog(): number {
    const path = join(this.root, 'host.log');
    if (existsSync(path)) renameSync(path, `${path}.1`);
    return openSync(path, 'a', 0o600);
  }

  lastWords(): string {
    const path = join(this.root, 'host.log');
    return existsSync(path) ? readFileSync(path, 'utf8').slice(-500).trim() : '';
  }
}
