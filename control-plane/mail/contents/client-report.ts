import { foreignText } from '../foreign-text.js';
import type { MailFact, OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface ClientReport {
  /** The id of the mail. */
  id: string;
  to: string;
  /** The name of the workspace. */
  workspace: string;
  title: string;
  clientName: string;
  /** As the cover of the report has it. */
  period: string;
  /** The key figures, as the report has them. */
  figures: readonly MailFact[];
  /** The PDF is in the mail, or behind a link that works until a time. */
  file: { attachmentId: string } | { link: string; expiresAtMs: number };
  /** The URL that stops the mails, for an address that is no member's. */
  stopUrl: string | null;
  expiresAtMs: number;
}

/** Sends the report of a schedule. */
export function clientReportMail(input: ClientReport): OutgoingMail {
  const { id, to, file, stopUrl, expiresAtMs } = input;
  const [workspace, title, client] = [input.workspace, input.title, input.clientName].map((text) => foreignText(text));
  const isAttached = 'attachmentId' in file;
  return {
    ...{ id, to, expiresAtMs, kind: 'client_report' },
    subject: `${title}: ${client}`,
    heading: `${title}: ${client}`,
    paragraphs: [
      isAttached
        ? `${workspace} sends you this report. The whole report is attached as a PDF file.`
        : `${workspace} sends you this report. Download the whole report with the link below. It works until ${minuteUtc(file.expiresAtMs)}, for everybody who has it.`,
    ],
    facts: [{ label: 'Period', value: input.period }, ...input.figures],
    ...(isAttached
      ? { attachmentId: file.attachmentId }
      : { action: { label: 'Download report as PDF', url: file.link } }),
    ...(stopUrl === null ? {} : { stopUrl }),
    why: `You get this e-mail because your address is a recipient of this report in the workspace ${workspace}.`,
  };
}
