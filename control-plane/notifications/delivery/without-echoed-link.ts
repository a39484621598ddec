import type { Outcome } from './retry.js';

const REMOVED = '[secret]';
/** A shorter part of a link is a part of ordinary words, and too little of it to complete the rest by guessing. */
const PART_CHARS_MIN = 8;

/**
 * Returns the outcome without what its text repeats of the link, whole or in part: a receiver can answer with the message,
 * and more people read the errors of a notification than the notification.
 */
export function withoutEchoedLink(outcome: Outcome, link: string | null): Outcome {
  const secret = link === null ? '' : secretOf(link);
  if (secret === '') return outcome;
  switch (outcome.kind) {
    case 'sent':
      return outcome.warning === null ? outcome : { ...outcome, warning: without(outcome.warning, secret) };
    case 'skipped':
    case 'unconfirmed':
      return { ...outcome, reason: without(outcome.reason, secret) };
    default:
      return { ...outcome, error: without(outcome.error, secret) };
  }
}

/** The query of the link. The rest of it is the same for everybody. */
function secretOf(link: string): string {
  return new URL(link).search.slice(1);
}

function without(text: string, secret: string): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    const length = sharedLength(text, at, secret);
    kept += length === 0 ? text.charAt(at) : REMOVED;
    at += Math.max(1, length);
  }
  return kept;
}

/** Returns how many characters from `at` on are a part of the secret; 0 if that part is too short. */
function sharedLength(text: string, at: number, secret: string): number {
  if (!secret.includes(text.slice(at, at + PART_CHARS_MIN)) || at + PART_CHARS_MIN > text.length) return 0;
  let length = PART_CHARS_MIN;
  while (at + length < text.length && secret.includes(text.slice(at, at + length + 1))) length += 1;
  return length;
}
