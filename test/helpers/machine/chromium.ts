import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { deadlineMs } from '../deadline.js';

/**
 * Chromium without its own windows, tabs and menus, which the whole of it draws in headless mode too: a start takes a quarter
 * of the CPU time, and pages are the same.
 */
const PACKAGE = 'chromium-headless-shell';
const CHROMIUM = `/usr/bin/${PACKAGE}`;
const STARTED_MS_MAX = 60_000;
/** For everything that a test waits for in a page, unless it says otherwise. */
const PAGE_MS_MAX = 30_000;

/** Starts Debian's Chromium, which it installs as root where it is missing. `args` are further options of its command line. */
export async function startChromium({ args = [] }: { args?: string[] } = {}): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    const install = fileURLToPath(new URL('../../../scripts/apt-install', import.meta.url));
    execFileSync(install, [PACKAGE], { stdio: 'inherit' });
  }
  // As root, Chromium has no sandbox. Tests show only pages of their own.
  const browser = await chromium.launch({
    ...{ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', ...args] },
    timeout: deadlineMs(STARTED_MS_MAX),
  });
  browser.on('context', (context) => context.setDefaultTimeout(deadlineMs(PAGE_MS_MAX)));
  return browser;
}
