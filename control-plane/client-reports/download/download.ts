import { Readable } from 'node:stream';
import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { type ByteRange, byteRange } from '../../http/input/byte-range.js';
import type { Reply } from '../../http/route.js';
import type { ReportDocument } from '../documents.js';
import type { ReportNeeds } from '../needs.js';
import { PART_BYTES_MAX, type ReportFilesStore } from './files-store.js';

/** Returns the file of a report, or the requested range of it. Throws 404, 409 while it is generated, 410 and 416. */
export async function downloadReport(
  {
    store,
    files,
    audit,
    runRequestTransaction,
  }: Pick<ReportNeeds, 'store' | 'files' | 'audit' | 'runRequestTransaction'>,
  actor: Actor,
  request: { id: string; range: string | null },
): Promise<Reply> {
  const report = await store.find(actor.workspaceId, request.id);
  if (report === null) throw notFound('report');
  const totalBytes = sizeOf(report);
  const requested = byteRange(request.range, totalBytes);
  const range = requested ?? { first: 0, last: totalBytes - 1, totalBytes };
  // Read before the reply, so that an unavailable database or a report that was just deleted gives an error status.
  const first = await partOf(files, report, placeOf(range.first));
  await runRequestTransaction((tx) =>
    audit.record(tx, actor, {
      action: 'report.downloaded',
      resource: { type: 'report', id: report._id, name: report.title },
      metadata: { client_name: report.client_name },
    }),
  );
  const body = Readable.from(bytesOf(files, report, range, first), { objectMode: false });
  const filename = `${fileNameOf(report)}.pdf`;
  return { status: requested === null ? 200 : 206, raw: { type: 'application/pdf', body, filename, range } };
}

function sizeOf({ status, error, size_bytes }: ReportDocument): number {
  if (status === 'generating')
    throw new AppError('conflict', 'The report is being generated. Download it when its status is completed.');
  if (status === 'failed' || size_bytes === null)
    throw new AppError('gone', `The report could not be generated: ${error ?? 'the reason is not known.'}`);
  return size_bytes;
}

async function* bytesOf(
  files: ReportFilesStore,
  report: ReportDocument,
  { first, last }: ByteRange,
  firstPart: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const firstPlace = placeOf(first);
  for (let place = firstPlace; place <= placeOf(last); place++) {
    const part = place === firstPlace ? firstPart : await partOf(files, report, place);
    const startsAt = place * PART_BYTES_MAX;
    yield part.subarray(Math.max(0, first - startsAt), last + 1 - startsAt);
  }
}

async function partOf(files: ReportFilesStore, report: ReportDocument, place: number): Promise<Uint8Array> {
  const part = await files.part(report.workspace_id, report._id, place);
  if (part === null) throw notFound('report');
  return part;
}

function placeOf(byte: number): number {
  return Math.floor(byte / PART_BYTES_MAX);
}

/** A file name may not contain these on one of the usual systems. */
const NOT_IN_FILE_NAMES = /[\\/:*?"<>|\p{Cf}]+/gu;
const FILE_NAME_CHARS_MAX = 120;

function fileNameOf({ title, client_name }: ReportDocument): string {
  const name = `${client_name} - ${title}`.replaceAll(NOT_IN_FILE_NAMES, ' ').replaceAll(/\s+/g, ' ');
  // By characters: half of an emoji cannot be encoded.
  const cut = [...name].slice(0, FILE_NAME_CHARS_MAX).join('');
  return cut.replace(/^[ .]+|[ .]+$/g, '') || 'report';
}
