import { clientReportMail } from '../../../mail/contents/client-report.js';
import { ATTACHMENT_BYTES_MAX, type MailFact } from '../../../mail/mailer.js';
import type { SortedAddresses } from '../../../recipients/recipients.js';
import type { Transaction } from '../../../storage/transaction.js';
import type { ReportContent } from '../../content/content.js';
import { type CompletedReport, fileNameOf, isCompleted } from '../../download/completed.js';
import { fileBytes, whole } from '../../download/file-bytes.js';
import type { RunDocument, RunRecipient, ScheduleDocument } from '../documents.js';
import { linkTokenHash, makeLinkToken, SHARED_REPORT_PATH, TOKEN_PARAMETER } from '../link/token.js';
import { type DueNeeds, STOPPED } from './needs.js';
import { pauseMs } from './pause.js';

const DAY_MS = 86_400_000;
const LINK_VALID_MS = 30 * DAY_MS;
/** A mail server that is down for longer delays the report so much that the history must say so. */
const MAIL_VALID_MS = 3 * DAY_MS;

/** Sends the report of a run once it is completed, or stores why it is sent to nobody. Postpones it while it is generated. */
export async function sendRun(needs: DueNeeds, run: RunDocument): Promise<void> {
  const { workspace_id } = run;
  const standing = await needs.standingOf(workspace_id);
  if (standing === null || standing.stopped) return endWithout(needs, run, 'skipped', STOPPED);
  const report = run.report_id === null ? null : await needs.store.find(workspace_id, run.report_id);
  if (report === null) return endWithout(needs, run, 'skipped', 'The report was deleted before it was sent.');
  if (report.status === 'failed') return endWithout(needs, run, 'failed', report.error ?? 'It could not be generated.');
  const schedule = await needs.schedules.find(workspace_id, run.schedule_id);
  if (!isCompleted(report) || schedule === null) {
    const nowMs = needs.clock.now();
    return needs.runs.postpone(run, nowMs + pauseMs(run.created_at_ms, nowMs));
  }
  const sorted = await needs.recipients.sort(workspace_id, schedule.recipients);
  if (mailsTo(sorted).length === 0) {
    const recipients = sorted.unconfirmed.map(unsent);
    return endWithout(needs, run, 'skipped', 'No recipient has confirmed that they want the e-mails.', recipients);
  }
  await write(needs, run, { report, schedule, sorted });
}

/** Everybody who gets a mail, with the URL that stops the mails for those who are no members. */
function mailsTo({ members, viewers, others }: SortedAddresses): { address: string; stopUrl: string | null }[] {
  return [...[...members, ...viewers].map((address) => ({ address, stopUrl: null })), ...others];
}

function unsent(address: string): RunRecipient {
  return { address, status: 'unconfirmed', sent_at_ms: null, mail_id: null };
}

async function endWithout(
  { runs, runTransaction, clock }: DueNeeds,
  run: RunDocument,
  status: 'skipped' | 'failed',
  reason: string,
  recipients: RunRecipient[] = [],
): Promise<void> {
  const end = { status, reason, recipients, finished_at_ms: clock.now(), link_expires_ms: null };
  await runTransaction((tx) => runs.end(tx, run, { ...end, isSettling: false, linkHash: null }));
}

interface Sending {
  report: CompletedReport;
  schedule: ScheduleDocument;
  sorted: SortedAddresses;
}

/** Ends the run and writes its mails in one transaction, so that each recipient gets one mail through any kill. */
async function write(needs: DueNeeds, run: RunDocument, { report, schedule, sorted }: Sending): Promise<void> {
  const { files, runs, clock, random, tracked } = needs;
  const content = JSON.parse(
    (await bytesOf(needs, report, 'content', report.content_bytes)).toString(),
  ) as ReportContent;
  const isAttached = schedule.attach === 'pdf' && report.size_bytes <= ATTACHMENT_BYTES_MAX;
  const pdf = isAttached ? await bytesOf({ files }, report, 'pdf', report.size_bytes) : null;
  const token = isAttached ? null : makeLinkToken(random);
  const nowMs = clock.now();
  const mails = mailsTo(sorted).map((one) => ({ ...one, id: tracked.newId() }));
  const { workspaceName } = await needs.systemActor(run.workspace_id);
  const recipients = [
    ...mails.map(({ address, id }): RunRecipient => ({ ...unsent(address), status: 'queued', mail_id: id })),
    ...sorted.unconfirmed.map(unsent),
  ];
  await needs.runTransaction(async (tx) => {
    const end = { status: 'sent', reason: null, recipients, finished_at_ms: nowMs, isSettling: true } as const;
    const linkHash = token === null ? null : linkTokenHash(token);
    const link_expires_ms = token === null ? null : nowMs + LINK_VALID_MS;
    if (!(await runs.end(tx, run, { ...end, linkHash, link_expires_ms }))) return;
    const file = await fileOf(needs, tx, report, { pdf, token, nowMs });
    for (const { id, address, stopUrl } of mails) {
      const mail = clientReportMail({
        ...{ id, to: address, stopUrl, file, workspace: workspaceName },
        ...{ title: report.title, clientName: report.client_name, period: content.period },
        figures: figuresOf(content),
        expiresAtMs: nowMs + MAIL_VALID_MS,
      });
      await needs.mailer.send(tx, { ...mail, workspaceId: run.workspace_id });
    }
  });
}

async function fileOf(
  { tracked, publicUrl }: DueNeeds,
  tx: Transaction,
  report: CompletedReport,
  { pdf, token, nowMs }: { pdf: Buffer | null; token: string | null; nowMs: number },
): Promise<Parameters<typeof clientReportMail>[0]['file']> {
  if (pdf === null) {
    const link = `${publicUrl}${SHARED_REPORT_PATH}?${TOKEN_PARAMETER}=${token}`;
    return { link, expiresAtMs: nowMs + LINK_VALID_MS };
  }
  const attachmentId = await tracked.attach(tx, {
    ...{ workspaceId: report.workspace_id, type: 'application/pdf', bytes: pdf },
    ...{ name: `${fileNameOf(report)}.pdf`, expiresAtMs: nowMs + MAIL_VALID_MS },
  });
  return { attachmentId };
}

/** Returns the key figures of a report, as its Executive Summary has them; none without that section. */
function figuresOf({ sections }: ReportContent): MailFact[] {
  const blocks = sections.find(({ name }) => name === 'executive_summary')?.blocks ?? [];
  return blocks.flatMap((block) =>
    block.type === 'cards' ? block.cards.map(({ label, value, note }) => ({ label, value: `${value} (${note})` })) : [],
  );
}

async function bytesOf(
  { files }: Pick<DueNeeds, 'files'>,
  report: CompletedReport,
  file: 'pdf' | 'content',
  sizeBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await fileBytes(files, report, file, whole(sizeBytes))) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
