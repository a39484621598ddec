export const LINK_MS_MIN = 1_800_000;
const SHORTEST_MS = 300_000;
const LONGEST_MS = 14_400_000;
/** After as long without such a mail, the next one is the first again. */
const FORGOTTEN_MS = 86_400_000;

/** The mails with a link for a new password that a person got. */
export interface ResetMails {
  /** When the latest was asked for; null if none was. */
  latestMs: number | null;
  /** How many in a row nobody used. */
  unused: number;
}

/**
 * Returns the number in a row of a mail that is asked for now, or null when it is too early for one. The pause doubles from five
 * minutes to four hours with each mail that nobody used, because anybody can ask for them: 11 mails on the first day, then six a day.
 * For devices from which the person has logged in, it is always five minutes.
 */
export function nextResetMail({ latestMs, unused }: ResetMails, isKnown: boolean, nowMs: number): number | null {
  if (latestMs === null || nowMs - latestMs >= FORGOTTEN_MS) return 1;
  const pauseMs = isKnown ? SHORTEST_MS : pauseAfterMs(unused);
  return nowMs - latestMs < pauseMs ? null : unused + 1;
}

/**
 * Returns how long the link in a mail lives that is the `unused`th in a row: at least 30 minutes, and until the next mail can be sent.
 * Otherwise somebody who asks all the time would leave the person on a new device without a link that works. A link that lives for
 * four hours is the price of few mails: with a pause of at most 30 minutes there would be 50 a day.
 */
export function resetLinkMs(unused: number): number {
  return Math.max(LINK_MS_MIN, pauseAfterMs(unused));
}

function pauseAfterMs(unused: number): number {
  return Math.min(SHORTEST_MS * 2 ** Math.max(0, unused - 1), LONGEST_MS);
}
