import type { Page } from 'playwright-core';
import { waitFor } from '../wait.js';

const LOGGED_IN_MS_MAX = 60_000;

/** Opens a session of somebody in the browser, by the API, and then the page at a path such as `/audit`. */
export async function signInAs(
  page: Page,
  url: string,
  credentials: { email: string; password: string },
  path: string,
): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${url}/login`);
  const { email, password } = credentials;
  const status = await waitFor(`the log-in of ${email}`, LOGGED_IN_MS_MAX, async () => {
    const answered = await page.evaluate(logInInPage, { email, password });
    // The database of a busy machine can be too slow for one request.
    return answered === 503 ? null : answered;
  });
  if (status !== 200) throw new Error(`the log-in of ${email} was answered with ${status}`);
  await page.goto(`${url}${path}`);
}

async function logInInPage(credentials: { email: string; password: string }): Promise<number> {
  const response = await fetch('v1/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return response.status;
}
