import type { TrackedMails } from '../../../mail/mailer.js';
import type { RunDocument, RunRecipient } from '../documents.js';
import type { RunStore } from '../runs-store.js';

/** Stores what became of the mails of a run since, because mails are not kept as long as the history. */
export async function settleRun(
  { runs, tracked }: { runs: Pick<RunStore, 'settle'>; tracked: Pick<TrackedMails, 'progress'> },
  run: RunDocument,
): Promise<void> {
  const waiting = run.recipients.flatMap(({ status, mail_id }) => (status === 'queued' && mail_id ? [mail_id] : []));
  const progress = await tracked.progress(waiting);
  const settled = run.recipients.map((recipient): RunRecipient => {
    if (recipient.status !== 'queued' || recipient.mail_id === null) return recipient;
    // One that is not stored was not written, because its mailbox had too many.
    const { state, finishedMs } = progress.get(recipient.mail_id) ?? { state: 'failed', finishedMs: null };
    if (state === 'waiting') return recipient;
    return { ...recipient, status: state, sent_at_ms: state === 'sent' ? finishedMs : null };
  });
  const isSettling = settled.some(({ status }) => status === 'queued');
  if (isSettling && settled.every((recipient, index) => recipient === run.recipients[index])) return;
  await runs.settle(run, settled, isSettling);
}
