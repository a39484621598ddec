import { readEvents, type StreamEnd, type StreamNeeds } from './event-stream.ts';
import type { Frame } from './frames.ts';
import { AWAY_MS_MAX } from './pace.ts';

/** How old a page can be that asks for events. */
const POLL_MS = 10_000;
const TICK_MS = 500;
/** Without an answer for this long, the page says that its data may be older. */
const ANSWER_MS_MAX = 5_000;
/** What comes at once after the beginning of a stream, as that events come late, has come by then. */
const GREETING_MS = 250;

/**
 * Reads events as `readEvents` does, without a connection of its own: it asks now and then what came after the last event.
 * For windows that cannot share a stream, because six connections are all that a browser has to a server without http/2.
 */
export async function pollEvents({ lastId, signal, onFrame, now }: StreamNeeds): Promise<StreamEnd> {
  let position = lastId;
  const heard = (frame: Frame): void => {
    position = frame.id ?? position;
    onFrame(frame);
  };
  for (let isFirst = true; ; isFirst = false) {
    const end = await ask({ lastId: position, signal, onFrame: heard, now, isFirst });
    if (end !== null || signal.aborted) return end ?? { status: 0, retryAfterS: null };
    const beganMs = now();
    await waited(POLL_MS, signal, now);
    if (signal.aborted) return { status: 0, retryAfterS: null };
    // The machine slept. Whoever hears of a break reads everything again, also what no event tells.
    if (now() - beganMs > AWAY_MS_MAX) return { status: 0, retryAfterS: 0 };
  }
}

/** Resolves to null when everything up to now has arrived, otherwise to how it ended. */
async function ask({ isFirst, signal, onFrame, ...needs }: StreamNeeds & { isFirst: boolean }) {
  const connection = new AbortController();
  const stop = () => connection.abort();
  let timer = isFirst ? undefined : setTimeout(stop, ANSWER_MS_MAX);
  let has = { begun: false, ended: false, comeLate: false };
  let lastId: string | null = null;
  const read = (frame: Frame): void => {
    has = { ...has, ended: has.ended || frame.event === 'end', comeLate: has.comeLate || frame.event === 'behind' };
    lastId = frame.id ?? lastId;
    if (frame.event === 'ready') {
      has.begun = true;
      clearTimeout(timer);
      timer = setTimeout(stop, GREETING_MS);
    }
    // For the page, all that it asks is one stream. If something is missing, `reset` has said so.
    if (frame.event !== null && (frame.event !== 'ready' || isFirst)) onFrame(frame);
  };
  signal.addEventListener('abort', stop);
  const end = await readEvents({ ...needs, signal: connection.signal, onFrame: read });
  signal.removeEventListener('abort', stop);
  clearTimeout(timer);
  if (!has.begun || has.ended || signal.aborted) return end;
  // The heartbeat of this stream.
  if (!has.comeLate) onFrame({ event: null, data: null, id: lastId });
  return null;
}

/** Resolves when this much time has passed, shortly after a machine that slept is awake. */
function waited(ms: number, signal: AbortSignal, now: () => number): Promise<void> {
  const beganMs = now();
  return new Promise((resolve) => {
    const done = () => {
      clearInterval(ticking);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const ticking = setInterval(() => (now() - beganMs < ms ? undefined : done()), TICK_MS);
    signal.addEventListener('abort', done);
  });
}
