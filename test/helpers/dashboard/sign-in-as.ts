import type { Page } from 'playwright-core';

/** Opens a session of somebody in the browser, by the API, and then the page at a path such as `/audit`. */
export async function signInAs(
  page: Page,
  url: string,
  credentials: { email: string; password: string },
  path: string,
): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${url}/login`);
  const status = await page.evaluate(logInInPage, { email: credentials.email, password: credentials.password });
  if (status !== 200) throw new Error(`the log-in of ${credentials.email} was answered with ${status}`);
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
