import { readEvents, type StreamEnd } from './event-stream.ts';
import type { Frame } from './frames.ts';
import { BEAT_MS, type Claim } from './leader.ts';
import { createPassedOn } from './passed-on.ts';
import { keepLed, type Windows } from './windows.ts';

interface LeadingNeeds {
  claim: Claim;
  /** The position behind which to continue; null for a new stream. */
  lastId: string | null;
  windows: Windows;
  onFrame(frame: Frame): void;
  /** Measures durations, in milliseconds. */
  now(): number;
  onEnd(end: StreamEnd): void;
}

/** The window that reads the events for all windows. */
export interface Leading {
  /** Lets another window in, which has everything up to `lastId`; one that asks too early has to ask again. */
  welcome(to: string, lastId: string | null): void;
  /** Says that this window is there. */
  beat(): void;
  /** Ends the stream: without a word for a window that is ahead, otherwise with how it ended (null: it goes on elsewhere). */
  stop(why: { isOutdone: true } | { end: StreamEnd | null }): void;
}

export function lead({ claim, lastId, windows, onFrame, now, onEnd }: LeadingNeeds): Leading {
  const connection = new AbortController();
  const passedOn = createPassedOn(lastId);
  /** The beginning of the stream, once it has come. */
  let ready: Frame | null = null;
  let position: string | null = lastId;

  const beat = () => windows.tell({ kind: 'beat', claim, isConnected: ready !== null });
  const beating = setInterval(beat, BEAT_MS);

  function read(frame: Frame): void {
    passedOn.add(frame);
    position = frame.id ?? position;
    if (frame.event === 'ready') {
      ready = frame;
      beat();
    } else {
      windows.tell({ kind: 'frame', claim, frame });
    }
    onFrame(frame);
  }

  beat();
  keepLed(true);
  void readEvents({ lastId, signal: connection.signal, onFrame: read, now }).then((end) => {
    if (!connection.signal.aborted) onEnd(end);
  });

  return {
    beat,
    welcome(to, theirLastId) {
      if (ready === null) return beat();
      const missed = theirLastId === null ? null : passedOn.behind(theirLastId);
      const isResumed = missed !== null;
      const begin = { ...ready, id: position, data: { ...(ready.data as object), resumed: isResumed } };
      const late = passedOn.isBehind() ? [{ event: 'behind', data: {}, id: null }] : [];
      windows.tell({ kind: 'welcome', claim, to, isResumed, frames: [...(missed ?? []), begin, ...late] });
    },
    stop(why) {
      clearInterval(beating);
      connection.abort();
      if ('isOutdone' in why) return;
      windows.tell({ kind: 'left', claim, end: why.end });
      // After an end this window begins again at once, and the others wait for it.
      keepLed(why.end !== null);
    },
  };
}
