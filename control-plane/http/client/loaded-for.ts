import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';

/**
 * A page names the workspace and the person that it was loaded for. All tabs of a browser share one session, so another
 * tab can move it to another workspace, or another person can log in there, at any moment: then nothing that this page asks for
 * may be mixed with what it shows, and nothing that it sends may end up elsewhere.
 */
export const LOADED_FOR = 'Picket-Loaded-For';

const NAME = /^ws_\w+ usr_\w+$/;

/** Returns the workspace and the person, as a page sends them. */
export function loadedForName(workspaceId: string, userId: string): string {
  return `${workspaceId} ${userId}`;
}

/**
 * Returns the answer's header for a page that does not know yet for whom it is loaded, and sends another text; null for all
 * others. Throws 409 if the page was loaded for another workspace or person.
 */
export function answerForPage({ kind, workspaceId, userId }: Actor, sent: string | null): string | null {
  if (kind !== 'session' || userId === null || sent === null) return null;
  const name = loadedForName(workspaceId, userId);
  if (!NAME.test(sent)) return name;
  if (sent === name) return null;
  const detail = 'The session works in another workspace, or for another person, by now. Load the page again.';
  throw new AppError('conflict', detail, { headers: { [LOADED_FOR]: name } });
}
