import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Starts Debian's Chromium, which it installs as root where it is missing. `args` are further options of its command line. */
export async function startChromium({ args = [] }: { args?: string[] } = {}): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    const install = fileURLToPath(new URL('../../../scripts/apt-install', import.meta.url));
    execFileSync(install, ['chromium'], { stdio: 'inherit' });
  }
  // As root, Chromium has no sandbox. Tests show only pages of their own.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', ...args] });
}
