import type { Locator } from 'playwright-core';
import type { Test } from 'tap';
import { type SignedIn, startWorkspaceInBrowser, type WorkspaceInBrowser } from './workspace-in-browser.js';

/** A workspace with one monitor, and its owner in a browser. */
export interface MonitorInBrowser extends Pick<SignedIn, 'page' | 'complaints' | 'see'> {
  world: WorkspaceInBrowser;
  id: string;
  /** The address of its page. */
  pageUrl: string;
  button(name: string): Locator;
  /** Notes in `violations` what breaks a rule of accessibility, or is wider than a phone. */
  examined(name: string): Promise<void>;
  violations: readonly string[];
}

/** Creates the monitor with these settings. All of it ends with the test. */
export async function startMonitorInBrowser(
  t: Pick<Test, 'teardown'>,
  settings: Record<string, unknown>,
): Promise<MonitorInBrowser> {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { status, body } = await world.plane.api('POST', '/v1/monitors', settings);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  const id: string = body.data.id;
  const { page, complaints, see, examined } = await world.openAsOwner();
  const violations: string[] = [];
  return {
    ...{ world, id, pageUrl: `${world.plane.url}/monitors/${id}`, page, complaints, see, violations },
    button: (name) => page.getByRole('button', { name, exact: true }),
    examined: async (name) => void violations.push(...(await examined(name))),
  };
}
