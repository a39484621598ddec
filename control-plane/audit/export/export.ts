import { Readable } from 'node:stream';
import type { Reply } from '../../http/route.js';
import type { AuditDocument } from '../documents.js';
import { entryOf } from '../entry.js';
import type { AuditEntry } from '../schema.js';
import type { AuditRange, AuditStore } from '../store.js';
import { CSV_HEAD, csvLines } from './csv.js';

/** Read, made into text and sent at once: what an export holds in memory, at most three times. */
const EXPORT_ROWS_MAX = 250;

/** Media types of an export by the `format` that asks for them. */
export const EXPORT_TYPES = { csv: 'text/csv', json: 'application/json' } as const;
export type ExportFormat = keyof typeof EXPORT_TYPES;

interface Form {
  head: string;
  /** `isFirst`: nothing but the head was written yet. */
  lines(entries: readonly AuditEntry[], isFirst: boolean): string;
  tail: string;
}

const FORMS: Record<ExportFormat, Form> = {
  csv: { head: CSV_HEAD, lines: csvLines, tail: '' },
  // One entry a line, so that it can be read and compared by lines as well.
  json: {
    head: '[',
    lines: (entries, isFirst) => `${isFirst ? '\n' : ',\n'}${entries.map((one) => JSON.stringify(one)).join(',\n')}`,
    tail: '\n]\n',
  },
};

/**
 * A file of the sealed entries of a range, oldest first, read batch by batch as the receiver takes them: there is
 * nothing in the database to hold open, or to give back when the receiver goes away. The first batch is read before
 * it resolves, so that a database that is away is still told by a status. When it goes away later the stream is
 * destroyed with the error, and the file must not end as if it were whole.
 */
export async function exportEntries(
  store: Pick<AuditStore, 'sealed'>,
  workspaceId: string,
  range: AuditRange,
  file: { format: ExportFormat; name: string },
): Promise<Reply> {
  const first = await store.sealed(workspaceId, range, null, EXPORT_ROWS_MAX);
  const next = (afterId: string) => store.sealed(workspaceId, range, afterId, EXPORT_ROWS_MAX);
  const body = Readable.from(textOf(FORMS[file.format], first, next));
  const type = `${EXPORT_TYPES[file.format]}; charset=utf-8`;
  return { status: 200, raw: { type, body, filename: `${file.name}.${file.format}` } };
}

async function* textOf(
  form: Form,
  first: AuditDocument[],
  next: (afterId: string) => Promise<AuditDocument[]>,
): AsyncGenerator<string> {
  yield form.head;
  let batch = first;
  for (let last = batch.at(-1); last !== undefined; last = batch.at(-1)) {
    // The database looks for the next batch while this one is sent.
    const following = batch.length < EXPORT_ROWS_MAX ? Promise.resolve([]) : next(last._id);
    // A receiver that goes away never asks what came of it.
    following.catch(() => {});
    yield form.lines(batch.map(entryOf), batch === first);
    batch = await following;
  }
  yield form.tail;
}
