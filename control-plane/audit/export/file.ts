import { Readable } from 'node:stream';
import type { Reply } from '../../http/route.js';
import type { AuditDocument } from '../documents.js';
import { entryOf } from '../entry.js';
import type { AuditEntry } from '../schema.js';
import type { AuditRange, AuditStore } from '../store.js';
import { CSV_HEAD, csvLines } from './csv.js';

/** The rows in one batch. An export holds at most three batches in memory: one being read, formatted and sent. */
const BATCH_ROWS = 250;

/** Media types of an export, by `format`. */
export const EXPORT_TYPES = { csv: 'text/csv', json: 'application/json' } as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

interface FileFormat {
  head: string;
  /** `isFirst`: only the head was written so far. */
  lines(entries: readonly AuditEntry[], isFirst: boolean): string;
  tail: string;
}

const FILE_FORMATS: Record<ExportFormat, FileFormat> = {
  csv: { head: CSV_HEAD, lines: csvLines, tail: '' },
  // One entry per line, so that line-based tools can read and compare exports.
  json: {
    head: '[',
    lines: (entries, isFirst) => `${isFirst ? '\n' : ',\n'}${entries.map((one) => JSON.stringify(one)).join(',\n')}`,
    tail: '\n]\n',
  },
};

/**
 * Returns a file of the sealed entries of a range, oldest first. It is read in batches as fast as the client reads, so
 * no database cursor stays open or needs cleanup when the client disconnects. The first batch is read before this
 * resolves, so that an unreachable database still gives an error status. If the database fails later, the stream is
 * destroyed with the error, so that the file does not look complete.
 */
export async function exportEntries(
  store: Pick<AuditStore, 'sealed'>,
  workspaceId: string,
  range: AuditRange,
  file: { format: ExportFormat; name: string },
): Promise<Reply> {
  const first = await store.sealed(workspaceId, range, null, BATCH_ROWS);
  const next = (afterId: string) => store.sealed(workspaceId, range, afterId, BATCH_ROWS);
  const body = Readable.from(textOf(FILE_FORMATS[file.format], first, next));
  const type = `${EXPORT_TYPES[file.format]}; charset=utf-8`;
  return { status: 200, raw: { type, body, filename: `${file.name}.${file.format}` } };
}

async function* textOf(
  format: FileFormat,
  first: AuditDocument[],
  next: (afterId: string) => Promise<AuditDocument[]>,
): AsyncGenerator<string> {
  yield format.head;
  let batch = first;
  for (let last = batch.at(-1); last !== undefined; last = batch.at(-1)) {
    // The database reads the next batch while this one is sent.
    const following = batch.length < BATCH_ROWS ? Promise.resolve([]) : next(last._id);
    // If the client disconnects, nothing awaits this promise.
    following.catch(() => {});
    yield format.lines(batch.map(entryOf), batch === first);
    batch = await following;
  }
  yield format.tail;
}
