import { invalidFields } from '../../errors.js';
import type { Channel } from '../channels/channel.js';

interface Move {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** The secret fields that the request sets, to the stored value, another one or null. */
  sent: readonly string[];
}

/**
 * Throws 422 if a URL of the configuration moves to another origin and a stored secret would be sent there: whoever may
 * change a channel must not be able to read its secrets. A URL that is a secret itself is always sent with the move.
 */
export function requireSecretsAgain(kind: Pick<Channel, 'secrets' | 'urls'>, { before, after, sent }: Move): void {
  const moved = kind.urls.find((field) => urlOrigin(before[field]) !== urlOrigin(after[field]));
  if (moved === undefined) return;
  const isKept = (field: string) =>
    !kind.urls.includes(field) && !sent.includes(field) && (before[field] ?? null) !== null;
  const errors = kind.secrets.filter(isKept).map((field) => ({
    path: `/config/${field}`,
    message: `must be sent again, because ${moved} has another origin`,
    code: 'send_again' as const,
  }));
  if (errors.length > 0) throw invalidFields(errors);
}

function urlOrigin(url: unknown): string {
  return new URL(String(url)).origin;
}
