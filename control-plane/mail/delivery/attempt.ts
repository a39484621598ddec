import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { afterListening } from '../../../kernel/stalls/listening-timer.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { MailContent } from '../content.js';
import { openContent } from '../create-mailer.js';
import type { MailDocument } from '../documents.js';
import type { MailMessage, MailServer } from '../mail-server.js';
import type { MailMetrics } from '../metrics.js';
import { oneClickHeaders } from '../one-click.js';
import type { MailOutcome } from '../outcome.js';
import { afterAttempt, final } from '../retry.js';
import type { MailSettlement } from '../store.js';
import { mailHtml } from '../template/html.js';
import { mailText } from '../template/text.js';
import type { MailAttachmentsStore } from '../tracked/attachments-store.js';
import type { RecordResult } from './record-result.js';

interface AttemptNeeds {
  server: MailServer;
  attachments: Pick<MailAttachmentsStore, 'find'>;
  box: SecretBox;
  recordResult: RecordResult;
  metrics: MailMetrics;
  clock: Clock;
  random: Random;
  logger: Logger;
  publicUrl: string;
  attemptTimeoutMs: number;
}

/** `draining`: starts no new attempt. `cutOff`: aborts attempts in progress. */
export interface Stops {
  draining: AbortSignal;
  cutOff: AbortSignal;
}

/** What an attempt showed of the mail server. */
export type Answer = 'answered' | 'failed' | 'not_contacted';

/** Sends a claimed mail and records the result. `claimedAt` is of the monotonic clock. Never rejects. */
export type Attempt = (mail: MailDocument, claimedAt: number) => Promise<Answer>;

/** A mail that starts later than this after its claim is released, because its lease could end while it is sent. */
const START_WITHIN_MS = 10_000;

export function createAttempt(needs: AttemptNeeds, stops: Stops): Attempt {
  const { clock, recordResult, metrics } = needs;
  return async (mail, claimedAt) => {
    const mayStart = () => clock.monotonic() - claimedAt <= START_WITHIN_MS && !stops.draining.aborted;
    const content = mayStart() ? opened(needs, mail) : null;
    const files = mayStart() ? await filesOf(needs, mail) : {};
    // Again, because the reading of a file can take long.
    if (!mayStart() || files === 'unreadable') {
      await recordResult(mail, released(mail, clock.now()));
      return 'not_contacted';
    }
    if (content === null || files === 'removed') {
      const error = content === null ? 'the stored content cannot be decrypted' : 'its attachment was deleted';
      if (await recordResult(mail, final('failed', clock.now(), { error }))) metrics.count(mail.kind, 'failed');
      return 'not_contacted';
    }
    const outcome = await send(needs, mail, { content, files }, stops);
    if (stops.cutOff.aborted && outcome.kind === 'retry') {
      await recordResult(mail, released(mail, clock.now()));
      return 'not_contacted';
    }
    const settlement = afterAttempt(outcome, mail, clock.now(), needs.random.fraction());
    if (await recordResult(mail, settlement)) report(needs, mail, outcome, settlement);
    return outcome.kind === 'retry' && outcome.cause === 'server' ? 'failed' : 'answered';
  };
}

function released({ attempts }: MailDocument, nowMs: number): MailSettlement {
  return { state: 'pending', next_attempt_ms: nowMs, waiting: null, attempts: attempts - 1 };
}

/** Returns the attachment of a mail, as a field of its message. `removed`: it was deleted with its workspace. */
async function filesOf(
  { attachments, logger }: AttemptNeeds,
  { _id: id, attachment_id }: MailDocument,
): Promise<Pick<MailMessage, 'attachment'> | 'removed' | 'unreadable'> {
  if (attachment_id === undefined) return {};
  try {
    const attachment = await attachments.find(attachment_id);
    return attachment === null ? 'removed' : { attachment };
  } catch (err) {
    logger.warn({ err, mail: id }, 'failed to read the attachment of an e-mail; the next poll retries');
    return 'unreadable';
  }
}

function opened({ box, logger }: AttemptNeeds, mail: MailDocument): MailContent | null {
  try {
    return openContent(mail, box);
  } catch (err) {
    logger.error(
      { err, mail: mail._id, to: mail.to, kind: mail.kind },
      'an e-mail cannot be decrypted, so it is not sent',
    );
    return null;
  }
}

async function send(
  needs: AttemptNeeds,
  mail: MailDocument,
  { content, files }: { content: MailContent; files: Pick<MailMessage, 'attachment'> },
  stops: Stops,
): Promise<MailOutcome> {
  const { clock, server, publicUrl } = needs;
  const end = new AbortController();
  const timer = afterListening(clock, needs.attemptTimeoutMs, () => end.abort());
  const message = {
    id: mail._id,
    to: [mail.to],
    subject: mail.subject,
    text: mailText(content, publicUrl),
    html: mailHtml(content, { title: mail.subject, publicUrl }),
    // The same in every attempt, as the Message-ID.
    dateMs: mail.created_at_ms,
    thread: null,
    headers: { 'X-Picket-Mail': mail.kind, ...oneClickHeaders(content.stopUrl ?? null) },
    ...files,
    secrets: secretsOf(content),
  };
  const outcome = await server.send(message, AbortSignal.any([stops.cutOff, end.signal]));
  timer.cancel();
  return outcome;
}

/** Returns link, token and code: spam filters name what they object to. */
function secretsOf({ action, code, stopUrl }: MailContent): string[] {
  const urls = [action?.url ?? '', stopUrl ?? ''];
  const tokens = urls.map((url) => /[#?&](?:token|t)=([^&]+)/.exec(url)?.[1] ?? '');
  return [...urls, ...tokens, code ?? ''].filter((secret) => secret !== '');
}

function report(needs: AttemptNeeds, mail: MailDocument, outcome: MailOutcome, settlement: MailSettlement): void {
  const { metrics, logger, clock } = needs;
  const about = { mail: mail._id, to: mail.to, kind: mail.kind, subject: mail.subject, attempts: mail.attempts };
  metrics.count(mail.kind, settlement.state === 'pending' ? 'retried' : settlement.state);
  if (outcome.kind === 'sent') {
    logger.debug(about, 'the mail server took an e-mail');
  } else if (settlement.state !== 'pending') {
    logger.error({ ...about, error: outcome.error }, 'an e-mail was not delivered');
  } else {
    const pauseS = Math.ceil(((settlement.next_attempt_ms ?? 0) - clock.now()) / 1_000);
    logger.warn({ ...about, error: outcome.error }, `failed to send an e-mail, retrying in ${pauseS} s`);
  }
}
