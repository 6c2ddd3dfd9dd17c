import { chromium } from 'playwright-core';
import { findChromium } from '../../support/chromium.mjs';

/** The distribution's Chromium, without a sandbox of its own since tests may run as root in a container. */
export function launch() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium found; install the package chromium or set CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'] });
}
