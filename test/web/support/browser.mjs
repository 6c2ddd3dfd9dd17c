import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The distribution's Chromium, without a sandbox of its own since tests may run as root in a container. */
export function launch() {
  const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error('No Chromium found; install the package chromium or set CHROMIUM_PATH');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'] });
}
