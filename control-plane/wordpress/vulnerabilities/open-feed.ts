import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Clock } from '../../../kernel/clock.js';
import type { GuardedDownload } from '../../../kernel/guard/guarded-download.js';
import { DOWNLOAD_TIMEOUT_MS } from './limits.js';
import { Problem } from './problem.js';
import type { FeedSetting } from './setting.js';

interface OpenedFeed {
  /** Of when the records are. A file that nobody replaces gets old, however often it is read. */
  asOfMs: number;
  bytes: AsyncIterable<Uint8Array>;
}

/** Calls `read` with the bytes of the feed, and resolves to what it returns. Throws if there is no feed. */
export async function openFeed<T>(
  { download, clock }: { download: GuardedDownload; clock: Pick<Clock, 'now'> },
  setting: FeedSetting,
  signal: AbortSignal,
  read: (feed: OpenedFeed) => Promise<T>,
): Promise<T> {
  const startedAtMs = clock.now();
  if ('file' in setting) {
    const { mtimeMs } = await stat(setting.file);
    const asOfMs = Math.min(Math.floor(mtimeMs), startedAtMs);
    return read({ asOfMs, bytes: createReadStream(setting.file, { signal }) });
  }
  const headers: Record<string, string> = { accept: 'application/json' };
  if (setting.key !== null) headers['authorization'] = `Bearer ${setting.key}`;
  const request = { headers, timeoutMs: DOWNLOAD_TIMEOUT_MS, signal };
  return download.get(setting.url, request, ({ status, body }) => {
    if (status !== 200) throw new Problem(`the feed answers with HTTP ${status}`);
    return read({ asOfMs: startedAtMs, bytes: body });
  });
}
