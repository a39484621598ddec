import type { Frame } from './frames.ts';

/** More events than a window misses while it is hidden for a moment, or looks for another leader. */
const FRAMES_MAX = 500;

/** What the leader has read, for windows that continue behind an event. */
export interface PassedOn {
  add(frame: Frame): void;
  /** Returns the frames behind a position; null if that is not known any more. */
  behind(id: string): Frame[] | null;
  /** The last frame said that events come late. */
  isBehind(): boolean;
}

/** Remembers from a position on: null for a stream that continues none. */
export function createPassedOn(fromId: string | null): PassedOn {
  let startId = fromId;
  let frames: Frame[] = [];
  let isBehind = false;
  return {
    add({ event, data, id }) {
      if (event === 'behind') isBehind = true;
      else if (event === null) isBehind = false;
      const isNewId = id !== null && id !== (frames.at(-1)?.id ?? startId);
      if (!isNewId && (event === null || event === 'ready' || id === null)) return;
      if (startId === null) {
        startId = id;
        return;
      }
      // The beginning of a stream only moves the position of those that continue.
      frames.push(event === 'ready' ? { event: null, data: null, id } : { event, data, id });
      if (frames.length <= FRAMES_MAX) return;
      startId = frames[FRAMES_MAX / 2 - 1]?.id ?? null;
      frames = frames.slice(FRAMES_MAX / 2);
    },
    behind(id) {
      const index = frames.findLastIndex((frame) => frame.id === id);
      return index >= 0 ? frames.slice(index + 1) : id === startId ? frames.slice() : null;
    },
    isBehind: () => isBehind,
  };
}
