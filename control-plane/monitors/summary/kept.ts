import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../../kernel/clock.js';
import type { Reply } from '../../http/route.js';
import type { RowsBudget } from './budget.js';
import { changedRows, type ListState, type RowTexts, withRows } from './patch.js';

/** Response times and uptimes change with every check, and nobody is told of it. */
const KEPT_MS = 20_000;
/** The rows and the answers of about half a dozen workspaces with 10,000 monitors. */
const KEPT_BYTES_MAX = 48_000_000;
/** A larger answer is not kept: it would take the place of everybody else's. */
const ANSWER_BYTES_MAX = KEPT_BYTES_MAX / 4;
/** Fast, and the text repeats itself so much that more effort would save little. */
const GZIP_LEVEL = 3;
/**
 * A change gets its time before its transaction commits, which the database allows 60 seconds. So what was written this
 * long before the newest known change can become visible later.
 */
const LATE_MS = 120_000;
const compress = promisify(gzip);

/** The whole list, if it fits into one page. */
export interface WholeList {
  rows: RowTexts;
  nextCursor: string | null;
}

/** The whole list, and the answer that has all of it. */
export interface WholeAnswer {
  list: WholeList;
  reply: Reply;
}

interface KeptAnswer extends WholeAnswer {
  state: ListState;
  /** When the whole list was read. */
  atMs: number;
  bytes: number;
}

interface KeptNeeds {
  /** Names the state of a workspace: another one means that a status or a setting changed. */
  stateOf(workspaceId: string): Promise<ListState>;
  /** Returns the monitors that were written since then; null if there are very many. */
  changedSince(workspaceId: string, since: Date): Promise<readonly string[] | null>;
  /** Reads the whole list, newest first. */
  read(workspaceId: string): Promise<WholeList>;
  /** Reads some rows. Those of monitors that do not exist are missing. */
  readSome(workspaceId: string, ids: readonly string[]): Promise<RowTexts>;
  budget: Pick<RowsBudget, 'requireLeft' | 'charge'>;
  clock: Pick<Clock, 'monotonic'>;
}

interface KeptAnswers {
  /** Resolves to the whole list. Throws 429 if rows must be read for it and the workspace has read too many. */
  whole(workspaceId: string): Promise<WholeAnswer>;
  /**
   * Whether a page can be cut from the whole list. Reading all of it for a page costs less only if it is kept for the
   * next one, and is all there is.
   */
  hasPages(workspaceId: string, isFirst: boolean): boolean;
}

/**
 * Answers the whole list of a workspace. Reading, writing and compressing ten thousand rows takes a third of a second, so
 * the rows are kept for some seconds, and after a change of a status or a setting only those of the monitors that changed
 * are read again. Each answer asks the database for the state first, so it is never older than a change, whichever control
 * plane made it.
 */
export function createKeptAnswers(needs: KeptNeeds): KeptAnswers {
  const { stateOf, read, budget, clock } = needs;
  const kept = createStock(clock);

  /** Returns the list with the rows that changed; null if all of it must be read. */
  async function patched(workspaceId: string, before: KeptAnswer, state: ListState): Promise<Patched | null> {
    // The end of a page moves with what is added and deleted.
    if (before.list.nextCursor !== null) return null;
    const sinceMs = (before.state.newest?.getTime() ?? 0) - LATE_MS;
    const written = await needs.changedSince(workspaceId, new Date(Math.max(0, sinceMs)));
    const ids = written === null ? null : changedRows(before.state, state, written);
    if (ids === null) return null;
    const rows = ids.length === 0 ? new Map() : await needs.readSome(workspaceId, ids);
    return { list: { rows: withRows(before.list.rows, ids, rows), nextCursor: null }, rowsRead: ids.length };
  }

  async function whole(workspaceId: string): Promise<WholeAnswer> {
    const nowMs = clock.monotonic();
    // Read first, so that a change during the read of the list makes the answer an old one.
    const state = await stateOf(workspaceId);
    const before = kept.get(workspaceId);
    const isRecent = before !== undefined && nowMs - before.atMs < KEPT_MS;
    if (isRecent && before.state.name === state.name) return before;
    budget.requireLeft(workspaceId);
    const some = isRecent ? await patched(workspaceId, before, state) : null;
    const list = some?.list ?? (await read(workspaceId));
    const { raw } = listOfTexts([...list.rows.values()], list.nextCursor);
    // After a change, the rows that were not read again are texts already.
    const done = some === null ? { rows: list.rows.size, bytes: raw.body.length } : { rows: some.rowsRead, bytes: 0 };
    budget.charge(workspaceId, { ...done, taken: 0 });
    const compressed = await compress(raw.body, { level: GZIP_LEVEL });
    const reply: Reply = { status: 200, raw: { ...raw, compressed } };
    const atMs = some === null || before === undefined ? nowMs : before.atMs;
    kept.keep(workspaceId, { state, atMs, list, reply, bytes: 2 * raw.body.length + compressed.length });
    return { list, reply };
  }

  return {
    whole,
    hasPages(workspaceId, isFirst) {
      const before = kept.get(workspaceId);
      if (before !== undefined) return before.list.nextCursor === null;
      return isFirst && !kept.wasTooLarge(workspaceId);
    },
  };
}

interface Patched {
  list: WholeList;
  rowsRead: number;
}

/** The answers that are kept, the oldest first. */
function createStock(clock: Pick<Clock, 'monotonic'>) {
  const kept = new Map<string, KeptAnswer>();
  /** When the answer of a workspace was too large to keep, the oldest first. */
  const tooLarge = new Map<string, number>();
  let bytes = 0;

  function forget(workspaceId: string): void {
    bytes -= kept.get(workspaceId)?.bytes ?? 0;
    kept.delete(workspaceId);
  }

  function noteTooLarge(workspaceId: string): void {
    const nowMs = clock.monotonic();
    tooLarge.set(workspaceId, nowMs);
    for (const [oldest, atMs] of tooLarge) {
      if (nowMs - atMs < KEPT_MS) return;
      tooLarge.delete(oldest);
    }
  }

  return {
    get: (workspaceId: string) => kept.get(workspaceId),
    wasTooLarge(workspaceId: string): boolean {
      const atMs = tooLarge.get(workspaceId);
      return atMs !== undefined && clock.monotonic() - atMs < KEPT_MS;
    },
    keep(workspaceId: string, answer: KeptAnswer): void {
      forget(workspaceId);
      tooLarge.delete(workspaceId);
      if (answer.bytes > ANSWER_BYTES_MAX) {
        noteTooLarge(workspaceId);
        return;
      }
      kept.set(workspaceId, answer);
      bytes += answer.bytes;
      for (const oldest of kept.keys()) {
        if (bytes <= KEPT_BYTES_MAX) return;
        forget(oldest);
      }
    },
  };
}

/** The same as `serializedList`, of rows that are texts already. */
export function listOfTexts(rows: readonly string[], nextCursor: string | null) {
  const body = Buffer.from(`{"data":[${rows.join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`);
  return { status: 200, raw: { type: 'application/json; charset=utf-8', body } } as const;
}
