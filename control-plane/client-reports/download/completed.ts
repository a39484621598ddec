import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import type { ReportDocument } from '../documents.js';
import type { ReportNeeds } from '../needs.js';

/** A completed report with what is set then. */
export interface CompletedReport extends ReportDocument {
  size_bytes: number;
  data_bytes: number;
  content_bytes: number;
  sha256: string;
  completed_at_ms: number;
}

/** Returns a report that has its files. Throws 404, 409 while it is generated, and 410 if its generation failed. */
export async function completedReport(
  store: ReportNeeds['store'],
  { workspaceId }: Actor,
  id: string,
): Promise<CompletedReport> {
  const report = await store.find(workspaceId, id);
  if (report === null) throw notFound('report');
  if (report.status === 'generating')
    throw new AppError('conflict', 'The report is being generated. Download it when its status is completed.');
  if (!isCompleted(report))
    throw new AppError('gone', `The report could not be generated: ${report.error ?? 'the reason is not known.'}`);
  return report;
}

export function isCompleted(report: ReportDocument): report is CompletedReport {
  return report.status === 'completed';
}

/** Records that somebody received a form of a report. */
export async function recordDownload(
  { audit, runRequestTransaction }: Pick<ReportNeeds, 'audit' | 'runRequestTransaction'>,
  actor: Actor,
  { _id: id, title, client_name }: ReportDocument,
  form: 'pdf' | 'csv' | 'html',
): Promise<void> {
  await runRequestTransaction((tx) =>
    audit.record(tx, actor, {
      action: 'report.downloaded',
      resource: { type: 'report', id, name: title },
      metadata: { client_name, form },
    }),
  );
}

/** A file name may not contain these on one of the usual systems. */
const NOT_IN_FILE_NAMES = /[\\/:*?"<>|\p{Cf}]+/gu;
const FILE_NAME_CHARS_MAX = 120;

/** Returns the name of a report's file, without its ending. */
export function fileNameOf({ title, client_name }: ReportDocument): string {
  const name = `${client_name} - ${title}`.replaceAll(NOT_IN_FILE_NAMES, ' ').replaceAll(/\s+/g, ' ');
  // By characters: half of an emoji cannot be encoded.
  const cut = [...name].slice(0, FILE_NAME_CHARS_MAX).join('');
  return cut.replace(/^[ .]+|[ .]+$/g, '') || 'report';
}
