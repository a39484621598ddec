import { apiUrl } from '../../api/client.ts';
import { heedLoadedFor, loadedForHeader } from '../../api/loaded-for.ts';
import { createFrameReader, type Frame } from './frames.ts';

/** Without a stream that begins. */
const BEGIN_MS_MAX = 15_000;
/** A heartbeat, or `behind`, comes every 5 s. */
const SILENCE_MS_MAX = 12_000;
const WATCH_MS = 2_500;

/** How a stream ended. `status` 0: no answer, or the connection broke. */
export interface StreamEnd {
  status: number;
  retryAfterS: number | null;
}

export interface StreamNeeds {
  /** The position behind which to continue; null for a new one. */
  lastId: string | null;
  /** Ends the stream. */
  signal: AbortSignal;
  onFrame(frame: Frame): void;
  /** Measures durations, in milliseconds. */
  now(): number;
}

/**
 * Reads events until the stream ends. Resolves to how it ended. A connection on which nothing arrives has ended, also if
 * no error said so: a suspended laptop or a network that has gone does not close connections.
 */
export async function readEvents({ lastId, signal, onFrame, now }: StreamNeeds): Promise<StreamEnd> {
  const connection = new AbortController();
  const end = () => connection.abort();
  let heardMs = now();
  let silenceMsMax = BEGIN_MS_MAX;
  const watch = setInterval(() => {
    if (now() - heardMs > silenceMsMax) end();
  }, WATCH_MS);
  signal.addEventListener('abort', end);
  window.addEventListener('offline', end);
  try {
    const query = lastId === null ? '' : `?last_event_id=${encodeURIComponent(lastId)}`;
    const response = await fetch(apiUrl('/v1/events') + query, {
      ...{
        headers: { accept: 'text/event-stream, application/problem+json', ...loadedForHeader() },
        cache: 'no-store',
      },
      signal: connection.signal,
    });
    const { status, headers } = response;
    heedLoadedFor(headers);
    if (!response.ok || response.body === null) {
      return { status, retryAfterS: Number(headers.get('retry-after')) || null };
    }
    const read = createFrameReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      heardMs = now();
      silenceMsMax = SILENCE_MS_MAX;
      for (const frame of read(part.value)) onFrame(frame);
    }
    return { status, retryAfterS: null };
  } catch {
    return { status: 0, retryAfterS: null };
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', end);
    window.removeEventListener('offline', end);
    end();
  }
}
