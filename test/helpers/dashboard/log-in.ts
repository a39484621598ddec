import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Logs the first owner of an installation in, and opens a page such as `/monitors`. `url` is where the browser connects. */
export async function logIn(page: Page, at: { url: string; dataDir: string }, path = '/'): Promise<void> {
  const owner = JSON.parse(await readFile(join(at.dataDir, 'first-run.json'), 'utf8'));
  await page.goto(`${at.url}/login?next=${encodeURIComponent(path)}`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL(`${at.url}${path}`);
}
