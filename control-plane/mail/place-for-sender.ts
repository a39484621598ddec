/** Mails to one mailbox in a time: of one sender, and of all together. */
export interface MailboxLimits {
  ofOne: number;
  ofAll: number;
}

/**
 * Returns whether one more mail fits, after so many. Where one sender may not send all of them, the last place is for a sender
 * with none yet, so that those before do not keep everybody else out. Pure.
 */
export function hasPlace(sent: MailboxLimits, limits: MailboxLimits): boolean {
  if (sent.ofOne >= limits.ofOne || sent.ofAll >= limits.ofAll) return false;
  const isLast = sent.ofAll === limits.ofAll - 1;
  return !isLast || sent.ofOne === 0 || limits.ofOne >= limits.ofAll;
}
