import { Readable } from 'node:stream';
import { notFound } from '../../errors.js';
import type { ByteRange } from '../../http/input/byte-range.js';
import type { ReportDocument, ReportFile } from '../documents.js';
import { PART_BYTES_MAX, type ReportFilesStore } from './files-store.js';

/**
 * Returns the bytes of a file as a stream that has one part in memory at a time. The first part is read before, so that an
 * unavailable database or a report that was just deleted gives an error status.
 */
export async function fileBytes(
  files: ReportFilesStore,
  report: ReportDocument,
  file: ReportFile,
  { first, last }: ByteRange,
): Promise<Readable> {
  const firstPart = await partOf(files, report, file, placeOf(first));
  return Readable.from(parts(), { objectMode: false });

  async function* parts(): AsyncGenerator<Uint8Array> {
    for (let place = placeOf(first); place <= placeOf(last); place++) {
      const part = place === placeOf(first) ? firstPart : await partOf(files, report, file, place);
      const startsAt = place * PART_BYTES_MAX;
      yield part.subarray(Math.max(0, first - startsAt), last + 1 - startsAt);
    }
  }
}

/** Returns the range of all bytes of a file. */
export function whole(totalBytes: number) {
  return { first: 0, last: totalBytes - 1, totalBytes };
}

async function partOf(
  files: ReportFilesStore,
  { workspace_id: workspaceId, _id: id }: ReportDocument,
  file: ReportFile,
  place: number,
): Promise<Uint8Array> {
  const part = await files.part({ workspaceId, id }, file, place);
  if (part === null) throw notFound('report');
  return part;
}

function placeOf(byte: number): number {
  return Math.floor(byte / PART_BYTES_MAX);
}
