import { JSONParser } from '@streamparser/json';
import type { Vulnerability } from './documents.js';
import { readRecord } from './formats/read-record.js';
import { FEED_BYTES_MAX, RECORD_BYTES_MAX, RECORDS_MAX, SLICE_BYTES, UNREADABLE_PERCENT_MAX } from './limits.js';
import { Problem } from './problem.js';

const MIB = 1_048_576;

/**
 * Reads a feed as it arrives, with at most one record and one slice of bytes in memory, and yields what its records say of
 * plugins. Throws `Problem` for a feed that ends early, is no JSON, is too large, has no record, or has too many that cannot be
 * read: such a feed must not be used, also not what was yielded of it.
 */
export async function* readFeed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Vulnerability[]> {
  const reader = createRecordReader();
  let read = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      read += slice.length;
      if (read > FEED_BYTES_MAX) throw new Problem(`the feed is larger than ${FEED_BYTES_MAX / MIB} MiB`);
      const found = reader.write(slice);
      if (found.length > 0) yield found;
    }
  }
  reader.end();
}

/** Returns a reader of the records of a feed, which is given its bytes. All of its functions throw `Problem`. */
function createRecordReader() {
  // A file may have several answers of WPVulnerability, one after the other.
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false, separator: '' });
  let found: Vulnerability[] = [];
  let [records, unreadable, unfinishedBytes] = [0, 0, 0];
  parser.onValue = ({ key, value }) => {
    unfinishedBytes = 0;
    const read = readRecord(key, value);
    if (read === 'ignored') return;
    records++;
    if (read === null) unreadable++;
    else found.push(...read);
  };
  function checkUnreadable(): void {
    if (unreadable * 100 > records * UNREADABLE_PERCENT_MAX) {
      throw new Problem(`${unreadable} of ${records} records of the feed cannot be read`);
    }
  }
  return {
    /** Returns what the records say of plugins that end in these bytes. */
    write(slice: Uint8Array): Vulnerability[] {
      unfinishedBytes += slice.length;
      asJson(() => parser.write(slice));
      if (unfinishedBytes > RECORD_BYTES_MAX) {
        throw new Problem(`a record of the feed is larger than ${RECORD_BYTES_MAX / MIB} MiB`);
      }
      if (records > RECORDS_MAX) throw new Problem(`the feed has more than ${RECORDS_MAX} records`);
      const ended = found;
      found = [];
      return ended;
    },
    end(): void {
      if (!parser.isEnded) asJson(() => parser.end());
      if (records === 0) throw new Problem('the feed has no record of a format that Picket knows');
      checkUnreadable();
    },
  };
}

function asJson(parse: () => void): void {
  try {
    parse();
  } catch (error) {
    throw new Problem(`the feed is not complete JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
