/** The header that names the workspace and the person for which the page was loaded. */
const HEADER = 'picket-loaded-for';

/** Tabs share a session: another tab may have opened another workspace, or another person may have logged in there. */
export interface LoadedFor {
  workspaceId: string;
  userId: string;
}

/** Why the page stays although it is of no session: `elsewhere` is logged in, in another workspace. */
export type HeldBy = 'logged_out' | 'elsewhere';

let own: LoadedFor | null = null;
let isLeaving = false;
let held: HeldBy | null = null;

/** Returns whom the page was loaded for; null while that is not known. */
export const loadedFor = (): LoadedFor | null => own;

/** Whether another document is about to replace this one. */
export const isAboutToLeave = (): boolean => isLeaving;

/** Returns what to send with every request: the server refuses those of a page that was loaded for another workspace or person. */
export function loadedForHeader(): Record<string, string> {
  return { [HEADER]: own === null ? 'unknown' : `${own.workspaceId} ${own.userId}` };
}

/**
 * Notes for whom the page is loaded, which the first answers say. Does the same as `leaveIfOther` if the answer says that the
 * session is another by now.
 */
export function heedLoadedFor(headers: Headers): boolean {
  const [workspaceId, userId] = (headers.get(HEADER) ?? '').split(' ');
  if (workspaceId === undefined || userId === undefined) return false;
  own ??= { workspaceId, userId };
  return leaveIfOther({ workspaceId, userId });
}

/** Notes the same from the account, for where a proxy takes unknown headers from the answers. */
export function noteLoadedFor(loaded: LoadedFor): void {
  own ??= loaded;
}

/**
 * Loads the page again if it was loaded for another person, or for another workspace and is not held. Returns whether the
 * session is of another page.
 */
export function leaveIfOther({ workspaceId, userId }: LoadedFor): boolean {
  if (own === null || (own.workspaceId === workspaceId && own.userId === userId)) return false;
  if (held !== null && own.userId === userId) {
    held = 'elsewhere';
    return true;
  }
  // What the address names is of the former workspace.
  if (own.workspaceId !== workspaceId) leaveFor(document.baseURI);
  else loadAgain();
  return true;
}

/** Opens the same address in a new document, which decides anew for whom it is. */
export function loadAgain(): void {
  if (isLeaving) return;
  // Before it leaves: whatever would ask the person knows that this page is over.
  isLeaving = true;
  location.reload();
}

/** Opens another document, which decides anew for whom it is. */
export function leaveFor(url: string): void {
  if (isLeaving) return;
  isLeaving = true;
  location.assign(url);
}

/**
 * From the question to log in again until the session is one of this page, the page stays with what was typed: the log-in
 * can open another workspace of the person.
 */
export function hold(by: HeldBy | null): void {
  held = by;
}

/** Returns why the page must stay; null while it is one of the session. */
export const heldBy = (): HeldBy | null => held;

/**
 * For a page that the browser kept and shows again. One that has left, as after a log-out, loads again, so that nobody
 * reads on. Returns whether it stays.
 */
export function stay(): boolean {
  if (isLeaving) location.reload();
  return !isLeaving;
}
