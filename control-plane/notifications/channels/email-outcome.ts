import type { MailOutcome } from '../../mail/outcome.js';
import type { Outcome } from '../delivery/retry.js';

/** What happened to one of the mails of a message. */
export interface MailResult {
  addresses: readonly string[];
  outcome: MailOutcome;
}

interface About {
  /** Addresses to which nothing was sent. */
  unconfirmed: readonly string[];
  /** Addresses that an earlier attempt has reached. */
  reached: readonly string[];
  isTest: boolean;
}

/**
 * Returns the outcome of a message from those of its mails. If the mail server failed or refused some of them for now, such as
 * when it limits the rate, the message is retried for the rest. A recipient whom it refused for good is only named, because
 * retries would delay the next notifications to the others. A test that has reached somebody is not retried. Pure.
 */
export function outcomeOfMails(results: readonly MailResult[], { unconfirmed, reached, isTest }: About): Outcome {
  const taken = results.filter(({ outcome }) => outcome.kind === 'sent');
  const failed = results.filter(({ outcome }) => outcome.kind !== 'sent');
  if (results.length === 0 && reached.length === 0) {
    return { kind: 'unconfirmed', reason: `not confirmed: ${unconfirmed.join(', ')}` };
  }
  const all = [...reached, ...taken.flatMap(({ addresses }) => addresses)];
  const interrupted = failed.find(({ outcome }) => outcome.kind === 'retry');
  const first = interrupted ?? failed[0];
  if (first !== undefined && (all.length === 0 || (interrupted !== undefined && !isTest))) {
    return failedAs(first.outcome, all);
  }
  const status = taken.map(({ outcome }) => outcome.responseStatus).find((code) => code !== null) ?? null;
  return { kind: 'sent', responseStatus: status, warning: warningOf(taken, failed, unconfirmed) };
}

function failedAs(outcome: MailOutcome, reached: readonly string[]): Outcome {
  if (outcome.kind !== 'retry') return outcome;
  const { error, responseStatus } = outcome;
  return {
    ...{ kind: 'retry', error, responseStatus, retryAfterMs: null },
    ...(reached.length === 0 ? {} : { reached }),
    ...(reached.length > 0 && outcome.cause === 'mail' ? { ofSome: true } : {}),
  };
}

function warningOf(
  taken: readonly MailResult[],
  failed: readonly MailResult[],
  unconfirmed: readonly string[],
): string | null {
  const refused = failed.flatMap(({ addresses }) => addresses);
  const warnings = [
    ...taken.map(({ outcome }) => (outcome.kind === 'sent' ? outcome.warning : null)),
    refused.length === 0 ? null : `refused for ${refused.join(', ')}`,
    unconfirmed.length === 0 ? null : `not confirmed: ${unconfirmed.join(', ')}`,
  ].filter((warning) => warning !== null);
  return warnings.length === 0 ? null : warnings.join('; ');
}
