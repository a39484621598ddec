import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../../kernel/clock.js';
import type { Reply } from '../../http/route.js';

/** Response times and uptimes change with every check, and nobody is told of it. */
const KEPT_MS = 20_000;
/** The answers of about a dozen workspaces with 10,000 monitors. */
const KEPT_BYTES_MAX = 48_000_000;
/** Fast, and the text repeats itself so much that more effort would save little. */
const GZIP_LEVEL = 3;
const compress = promisify(gzip);

interface KeptAnswer {
  state: string;
  atMs: number;
  reply: Reply;
  bytes: number;
}

interface KeptNeeds {
  /** Names the state of a workspace: another name means that a status or a setting changed. */
  stateOf(workspaceId: string): Promise<string>;
  /** Reads the whole list. */
  read(workspaceId: string): Promise<Buffer>;
  clock: Pick<Clock, 'monotonic'>;
}

/**
 * Returns a function that answers the whole list of a workspace. Reading, writing and compressing ten thousand rows takes
 * a third of a second, so an answer is kept for some seconds while no status and no setting has changed.
 */
export function createKeptAnswers({ stateOf, read, clock }: KeptNeeds): (workspaceId: string) => Promise<Reply> {
  const kept = new Map<string, KeptAnswer>();
  let bytes = 0;

  function forget(workspaceId: string): void {
    bytes -= kept.get(workspaceId)?.bytes ?? 0;
    kept.delete(workspaceId);
  }

  function keep(workspaceId: string, answer: KeptAnswer): void {
    forget(workspaceId);
    kept.set(workspaceId, answer);
    bytes += answer.bytes;
    for (const oldest of kept.keys()) {
      if (bytes <= KEPT_BYTES_MAX) return;
      forget(oldest);
    }
  }

  return async (workspaceId) => {
    const atMs = clock.monotonic();
    // Read first, so that a change during the read of the list makes the answer an old one.
    const state = await stateOf(workspaceId);
    const before = kept.get(workspaceId);
    if (before !== undefined && before.state === state && atMs - before.atMs < KEPT_MS) return before.reply;
    const body = await read(workspaceId);
    const compressed = await compress(body, { level: GZIP_LEVEL });
    const reply: Reply = { status: 200, raw: { type: 'application/json; charset=utf-8', body, compressed } };
    keep(workspaceId, { state, atMs, reply, bytes: body.length + compressed.length });
    return reply;
  };
}
