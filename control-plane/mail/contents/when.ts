const DAY_MS = 86_400_000;

/** A notice that did not leave within three days is not sent any more. */
const NOTICE_VALIDITY_MS = 3 * DAY_MS;

/** `2026-01-31 12:00 UTC`: readers are in several time zones. */
export function minuteUtc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** When a notice of something that happened at `atMs` is not sent any more. */
export function noticeExpiry(atMs: number): number {
  return atMs + NOTICE_VALIDITY_MS;
}
