import type { Clock } from '../../../../kernel/clock.js';
import type { TrackedMails } from '../../../mail/mailer.js';
import type { RunDocument, RunRecipient } from '../documents.js';
import type { RunStore } from '../runs-store.js';
import { pauseMs } from './pause.js';

interface SettleNeeds {
  runs: Pick<RunStore, 'settle'>;
  tracked: Pick<TrackedMails, 'progress'>;
  clock: Pick<Clock, 'now'>;
}

/** Stores what became of the mails of a run since, because mails are not kept as long as the history. */
export async function settleRun({ runs, tracked, clock }: SettleNeeds, run: RunDocument): Promise<void> {
  const waiting = run.recipients.flatMap(({ status, mail_id }) => (status === 'queued' && mail_id ? [mail_id] : []));
  const progress = await tracked.progress(waiting);
  const settled = run.recipients.map((recipient): RunRecipient => {
    if (recipient.status !== 'queued' || recipient.mail_id === null) return recipient;
    const found = progress.get(recipient.mail_id);
    if (found === undefined) return { ...recipient, status: 'unknown' };
    const { state, finishedMs } = found;
    if (state === 'waiting') return recipient;
    return { ...recipient, status: state, sent_at_ms: state === 'sent' ? finishedMs : null };
  });
  const isSettling = settled.some(({ status }) => status === 'queued');
  const nowMs = clock.now();
  await runs.settle(run, settled, isSettling ? nowMs + pauseMs(run.finished_at_ms ?? nowMs, nowMs) : null);
}
