/** What Page up and Page down skip. */
const PAGE_VALUES = 10;

interface Reading {
  /** Indexes that are shown: from, and up to but without. */
  shown: readonly [number, number];
  /** Where the cursor is; null while it is elsewhere. */
  at: number | null;
}

/** Returns the index that a key goes to; null if the key means nothing, or nothing is shown. Pure. */
export function nextIndex(key: string, { shown: [from, to], at }: Reading): number | null {
  if (from >= to) return null;
  const last = to - 1;
  const here = at === null || at < from || at > last ? null : at;
  const within = (index: number) => Math.min(last, Math.max(from, index));
  switch (key) {
    case 'ArrowRight':
      return here === null ? from : within(here + 1);
    case 'ArrowLeft':
      return here === null ? last : within(here - 1);
    case 'PageDown':
      return here === null ? from : within(here + PAGE_VALUES);
    case 'PageUp':
      return here === null ? last : within(here - PAGE_VALUES);
    case 'Home':
      return from;
    case 'End':
      return last;
    default:
      return null;
  }
}
