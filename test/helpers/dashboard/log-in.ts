import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { signInAs } from './sign-in-as.js';

/** Signs the first owner of an installation in, and opens a page such as `/monitors`. `url` is where the browser connects. */
export async function logIn(page: Page, at: { url: string; dataDir: string }, path = '/'): Promise<void> {
  await signInAs(page, at.url, JSON.parse(await readFile(join(at.dataDir, 'first-run.json'), 'utf8')), path);
}
