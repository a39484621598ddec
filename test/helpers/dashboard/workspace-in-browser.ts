import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import type { Role } from '../../../control-plane/roles.js';
import { testDatabase } from '../database.js';
import { startChromium } from '../machine/chromium.js';
import { type ControlPlane, startControlPlane } from '../processes/control-plane.js';
import { storePerson, storeSession } from '../team/people.js';
import { waitFor } from '../wait.js';
import { overflowsPhone, type Visitor, visitor } from './visitor.js';

/** As long as a page waits for anything. */
const PRESSED_MS_MAX = 30_000;

/** A control plane with one workspace, and people of any role who are logged in to it in a browser. */
export interface WorkspaceInBrowser {
  plane: ControlPlane;
  workspaceId: string;
  mongo: Awaited<ReturnType<typeof testDatabase>>;
  /** The first owner, with whose password a confirmation works. */
  owner: { email: string; password: string };
  /** Opens a browser window of the first owner, who last proved who they are at `confirmedAtMs`. */
  openAsOwner(options?: { confirmedAtMs?: number; language?: string }): Promise<SignedIn>;
  /** Opens a browser window of a new person with this role, here or in another workspace. */
  openAs(role: Role, workspaceId?: string): Promise<SignedIn>;
  close(): Promise<void>;
}

/** Somebody at a page, with what tests do most. */
export interface SignedIn extends Visitor {
  email: string;
  goto(path: string): Promise<void>;
  /** Resolves when the text is on the page. */
  see(text: string | RegExp): Promise<void>;
  /** Presses the button with exactly this name; in the open dialog, if there is one. */
  press(name: string): Promise<void>;
  /** Like `examine`; also names a page that a phone would scroll sideways. */
  examined(name: string): Promise<string[]>;
}

export async function startWorkspaceInBrowser(settings: Record<string, string> = {}): Promise<WorkspaceInBrowser> {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri, settings);
  const browser = await startChromium();
  const owner = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
  const { db } = mongo;
  const workspace = await db.collection<WorkspaceDocument>('workspaces').findOne();
  const user = await db.collection<{ _id: string }>('users').findOne({ email: owner.email });
  if (workspace === null || user === null) throw new Error('the first run stored no workspace');
  const workspaceId = workspace._id;

  async function open(email: string, cookie: string, options: { language?: string }): Promise<SignedIn> {
    const somebody = await visitor(browser, options);
    const { page } = somebody;
    const [name = '', value = ''] = cookie.split(/=(.*)/);
    await page.context().addCookies([{ name, value, url: plane.url }]);
    return {
      ...somebody,
      email,
      goto: async (path) => void (await page.goto(`${plane.url}${path}`)),
      see: (text) => page.getByText(text).first().waitFor(),
      async press(label) {
        const dialog = page.getByRole('dialog');
        const named = { name: label, exact: true };
        // A dialog that has done what it is for stays for a moment, without its buttons.
        const button = await waitFor(`the button ${label}`, PRESSED_MS_MAX, async () => {
          const found = ((await dialog.count()) > 0 ? dialog.last() : page).getByRole('button', named);
          return (await found.count()) > 0 && { found };
        });
        await button.found.click();
      },
      async examined(label) {
        const violations = await somebody.examine(label);
        return (await overflowsPhone(page)) ? [...violations, `${label} is wider than a phone`] : violations;
      },
    };
  }
  return {
    ...{ plane, workspaceId, mongo, owner },
    async openAsOwner({ confirmedAtMs, ...options } = {}) {
      const confirmed = confirmedAtMs === undefined ? {} : { confirmed_at_ms: confirmedAtMs };
      return open(owner.email, await storeSession(mongo, { userId: user._id, workspaceId, ...confirmed }), options);
    },
    async openAs(role, inWorkspace = workspaceId) {
      const { email, cookie } = await storePerson(mongo, inWorkspace, role);
      return open(email, cookie, {});
    },
    async close() {
      await browser.close();
      await plane.remove();
      await mongo.drop();
    },
  };
}
