import type { Clock } from '../../kernel/clock.js';
import { idFloor } from '../storage/ids.js';
import type { LogDocument, LoggedEntry } from './documents.js';
import { createKnownKeys } from './known-keys.js';
import { type LogStore, READ_DOCUMENTS_MAX } from './log-store.js';
import { RECENT_ENTRIES_MAX } from './recent-events.js';
import type { EventSource } from './sources.js';

/**
 * An entry gets its id before its transaction commits. The database ends every transaction after 60 s, a commit may take
 * 10 s, and clocks of control planes differ by less than a second.
 */
const COMMIT_MS_MAX = 75_000;
/** Most transactions are shorter than this, so most polls read only the entries since then. */
const USUAL_COMMIT_MS = 3_000;
/** How often all entries that may still have been committed are compared. */
const COMPARE_MS = 1_000;
const IDS_PER_READ = 5_000;
const APPEND_ENTRIES_MAX = 1_000;
/** Even if nothing happens, a document is appended this often, so that the log shows up to when it is complete. */
const COVERED_EVERY_MS = 30_000;
/** What a process that starts must know: all entries of the log that it could find again. */
const KNOWN_MS = COVERED_EVERY_MS + 3 * COMMIT_MS_MAX;

/** Documents of the log were removed before this process read them. It loads the log again. */
class LogGap extends Error {}

/** Follows the log, which all control planes append to. */
export interface LogReader {
  /** Reads what others appended, and appends entries that are not in the log. */
  poll(): Promise<void>;
}

interface LogReaderNeeds {
  log: LogStore;
  sources: readonly EventSource[];
  /** The log was loaded: these are its newest documents, and all after `beginAfter`. */
  onLoaded(beginAfter: number, documents: readonly LogDocument[]): void;
  onAppended(document: LogDocument): void;
  /** Documents that others appended were read. There may be more. */
  onRead(): void;
  clock: Pick<Clock, 'now'>;
}

/** What a process knows of the log. */
interface Head {
  number: number;
  /** When the newest document was appended. */
  atMs: number;
  coveredMs: number;
}

/**
 * Returns the reader of the log. Every control plane finds committed entries by itself, and appends those that the log
 * does not have: the number of a document is taken by one of them, and who has lost reads the log before the next try.
 * So the log has each entry once, in one order, and needs no control plane in particular.
 */
export function createLogReader({ log, sources, onLoaded, onAppended, onRead, clock }: LogReaderNeeds): LogReader {
  const known = createKnownKeys();
  let head: Head | null = null;
  let comparedMs = Number.NEGATIVE_INFINITY;

  async function load(): Promise<Head> {
    const documents = await log.newest(RECENT_ENTRIES_MAX, KNOWN_MS);
    const nowMs = clock.now();
    const number = documents[0] === undefined ? await log.start(nowMs) : documents[0]._id - 1;
    known.clear();
    for (const { entries } of documents) for (const { key } of entries) known.add(key);
    onLoaded(number, documents);
    const newest = documents.at(-1);
    // A new log begins now: no client has a position in it.
    if (newest === undefined) return { number, atMs: Number.NEGATIVE_INFINITY, coveredMs: nowMs };
    return { number: newest._id, atMs: newest.at.getTime(), coveredMs: coveredBy(documents) };
  }

  function appended(before: Head, document: LogDocument): Head {
    if (document._id !== before.number + 1) throw new LogGap();
    for (const { key } of document.entries) known.add(key);
    onAppended(document);
    return {
      number: document._id,
      atMs: document.at.getTime(),
      coveredMs: Math.max(before.coveredMs, document.covered_ms),
    };
  }

  /**
   * Ends with a read that has room for more. If it ended with an empty one, it would not end at all while others append
   * faster than the database answers.
   */
  async function readOthers(from: Head): Promise<Head> {
    for (let now = from; ; ) {
      const documents = await log.after(now.number);
      for (const document of documents) now = appended(now, document);
      head = now;
      if (documents.length > 0) onRead();
      if (documents.length < READ_DOCUMENTS_MAX) return now;
    }
  }

  /** Appends the entries, less those that others append meanwhile. */
  async function append(from: Head, entries: readonly LoggedEntry[], coveredMs: number): Promise<Head> {
    const document = {
      _id: from.number + 1,
      at: new Date(clock.now()),
      covered_ms: coveredMs,
      entries: entries.filter(({ key }) => !known.has(key)),
    };
    if (document.entries.length === 0 && entries.length > 0) return from;
    if (await log.append(document)) return appended(from, document);
    const now = await readOthers(from);
    // Another one has a document with this number that a majority of the database does not have yet.
    if (now.number === from.number) throw new Error('the newest document of the log is not committed yet');
    return append(now, entries, coveredMs);
  }

  /** Appends the entries of a source from this time on that the log does not have. */
  async function appendMissing(from: Head, source: EventSource, sinceMs: number): Promise<Head> {
    let now = from;
    for (let next = idFloor(source.prefix, sinceMs); ; ) {
      const ids = await source.idsFrom(next, IDS_PER_READ);
      const missing = ids.filter((id) => !known.has(id));
      for (let start = 0; start < missing.length; start += APPEND_ENTRIES_MAX) {
        const entries = await source.entries(missing.slice(start, start + APPEND_ENTRIES_MAX));
        const meant = entries.filter(({ event, ends_access }) => event !== null || ends_access);
        if (meant.length > 0) now = await append(now, meant, now.coveredMs);
        head = now;
        for (const { key } of entries) known.add(key);
      }
      if (ids.length < IDS_PER_READ) return now;
      next = `${ids.at(-1)}0`;
    }
  }

  async function read(): Promise<void> {
    head ??= await load();
    let now = await readOthers(head);
    head = now;
    const startedMs = clock.now();
    const compares = startedMs - comparedMs >= COMPARE_MS || startedMs < comparedMs;
    const sinceMs = compares ? Math.min(now.coveredMs, startedMs) - COMMIT_MS_MAX : startedMs - USUAL_COMMIT_MS;
    for (const source of sources) now = await appendMissing(now, source, sinceMs);
    if (compares) {
      comparedMs = startedMs;
      now = { ...now, coveredMs: Math.max(now.coveredMs, startedMs) };
      if (startedMs - now.atMs >= COVERED_EVERY_MS) now = await append(now, [], startedMs);
      known.forgetBefore(sinceMs - COMMIT_MS_MAX);
    }
    head = now;
  }

  return {
    async poll() {
      try {
        await read();
      } catch (error) {
        if (!(error instanceof LogGap)) throw error;
        head = null;
        await read();
      }
    },
  };
}

/** Returns up to when the log is complete. */
function coveredBy(documents: readonly LogDocument[]): number {
  return documents.reduce((latest, { covered_ms }) => Math.max(latest, covered_ms), 0);
}
