import { type HeldBy, heldBy, hold, isAboutToLeave, loadedFor } from './loaded-for.ts';
import { createQuestions } from './question.ts';

/** Asks the person to log in again. The page stays as it is meanwhile, with everything that was typed. */
export const logInAgain = createQuestions();

/** Whether the person would rather look at the page as it is; until they press something. */
let isDeclined = false;
let loggingOut: Promise<unknown> | null = null;
const continuing = new Set<() => void>();

/**
 * Resolves to whether a request that was refused because the session has ended can be repeated. Never resolves while the
 * page is about to go: whoever waits must not show that something failed.
 */
export async function mayRepeat(isRead: boolean, why: HeldBy): Promise<boolean> {
  // A page that nobody has seen yet has nothing to lose: it opens the log-in page.
  if (loadedFor() === null) return false;
  await loggingOut?.catch(() => {});
  if (isAboutToLeave()) return new Promise(() => {});
  if (isDeclined && isRead) {
    if (heldBy() !== null) hold(why);
    return false;
  }
  hold(why);
  return logInAgain.ask();
}

/** Ends the question. Several answers can come at once, of which the first one counts. */
export function answerLogIn(isLoggedIn: boolean): void {
  if (logInAgain.current() === null) return;
  if (isLoggedIn) hold(null);
  isDeclined = !isLoggedIn;
  if (isDeclined) window.addEventListener('click', resume, { capture: true });
  logInAgain.current()?.settle(isLoggedIn);
  if (isLoggedIn) for (const listener of continuing) listener();
}

function resume({ target }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button') === null) return;
  isDeclined = false;
  window.removeEventListener('click', resume, { capture: true });
}

/** Calls the listener when the person has logged in again. Returns the function that ends it. */
export function onLoggedInAgain(listener: () => void): () => void {
  continuing.add(listener);
  return () => continuing.delete(listener);
}

/** While the person logs out, other requests are refused, and nobody must be asked to log in. */
export function whileLoggingOut<Answer>(request: Promise<Answer>): Promise<Answer> {
  loggingOut = request;
  return request;
}
