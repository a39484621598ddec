import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { testDatabase } from '../database.js';
import { startChromium } from '../machine/chromium.js';
import { type ControlPlane, startControlPlane } from '../processes/control-plane.js';

type TestDatabase = Awaited<ReturnType<typeof testDatabase>>;

/** A control plane with its first workspace, and a browser in which nobody has logged in. */
export interface PlaneInBrowser {
  mongo: TestDatabase;
  plane: ControlPlane;
  browser: Browser;
  /** The first owner. */
  owner: { email: string; password: string };
}

export interface PlaneOptions {
  /** Of the control plane. */
  settings?: Record<string, string>;
  /** Of the command line of Chromium. */
  args?: string[];
  /** A database that the test needs before. */
  mongo?: TestDatabase;
  /** Where the control plane reaches the database, if not directly. */
  databaseUri?: string;
}

/** Starts them. All of it ends with the test, before what the test itself has started earlier. */
export async function startPlaneInBrowser(
  t: Pick<Test, 'teardown'>,
  { settings = {}, args = [], mongo: given, databaseUri }: PlaneOptions = {},
): Promise<PlaneInBrowser> {
  const mongo = given ?? (await testDatabase());
  const plane = await startControlPlane(databaseUri ?? mongo.uri, settings);
  const browser = await startChromium({ args });
  t.teardown(async () => {
    await browser.close();
    await plane.remove();
    await mongo.drop();
  });
  const owner = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
  return { mongo, plane, browser, owner };
}
