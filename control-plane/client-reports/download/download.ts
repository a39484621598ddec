import type { Actor } from '../../actor.js';
import { byteRange } from '../../http/input/byte-range.js';
import type { Reply } from '../../http/route.js';
import type { ReportNeeds } from '../needs.js';
import { completedReport, fileNameOf, recordDownload } from './completed.js';
import { fileBytes, whole } from './file-bytes.js';

type DownloadNeeds = Pick<ReportNeeds, 'store' | 'files' | 'audit' | 'runRequestTransaction'>;

/** Returns the file of a report, or the requested range of it. Throws 404, 409 while it is generated, 410 and 416. */
export async function downloadReport(
  needs: DownloadNeeds,
  actor: Actor,
  request: { id: string; range: string | null },
): Promise<Reply> {
  const report = await completedReport(needs.store, actor, request.id);
  const requested = byteRange(request.range, report.size_bytes);
  const range = requested ?? whole(report.size_bytes);
  const body = await fileBytes(needs.files, report, 'pdf', range);
  await recordDownload(needs, actor, report, 'pdf');
  const filename = `${fileNameOf(report)}.pdf`;
  return { status: requested === null ? 200 : 206, raw: { type: 'application/pdf', body, filename, range } };
}

/** Returns the data behind a report as CSV. Throws 404, 409 while it is generated, and 410. */
export async function downloadData(needs: DownloadNeeds, actor: Actor, id: string): Promise<Reply> {
  const report = await completedReport(needs.store, actor, id);
  const range = whole(report.data_bytes);
  const body = await fileBytes(needs.files, report, 'csv', range);
  await recordDownload(needs, actor, report, 'csv');
  return {
    status: 200,
    raw: { type: 'text/csv; charset=utf-8', body, filename: `${fileNameOf(report)}.csv`, range },
  };
}
