import type { Page } from 'playwright-core';

/** Gives a window the session of somebody that the test stored: `cookie` is the header of `storePerson`. */
export async function useSession(page: Page, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url }]);
}
