/** Something that is due at a time. The heap sets `position`, which is -1 while the entry is not in the heap. */
export interface HeapEntry {
  dueMs: number;
  position: number;
}

/** A binary heap whose entries know their position, so that any entry can be moved or removed. */
export interface SlotHeap<Entry extends HeapEntry> {
  first(): Entry | undefined;
  size(): number;
  add(entry: Entry): void;
  /** Must be called after the `dueMs` of an entry was changed. */
  moved(entry: Entry): void;
  remove(entry: Entry): void;
}

export function createSlotHeap<Entry extends HeapEntry>(): SlotHeap<Entry> {
  const entries: Entry[] = [];

  function place(entry: Entry, position: number): void {
    entries[position] = entry;
    entry.position = position;
  }

  function up(entry: Entry): void {
    let position = entry.position;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = entries[above];
      if (parent === undefined || parent.dueMs <= entry.dueMs) break;
      place(parent, position);
      position = above;
    }
    place(entry, position);
  }

  function down(entry: Entry): void {
    let position = entry.position;
    for (;;) {
      const left = entries[2 * position + 1];
      const right = entries[2 * position + 2];
      const child = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child === undefined || child.dueMs >= entry.dueMs) break;
      const below = child.position;
      place(child, position);
      position = below;
    }
    place(entry, position);
  }

  function moved(entry: Entry): void {
    up(entry);
    down(entry);
  }

  return {
    first: () => entries[0],
    size: () => entries.length,
    add(entry) {
      entries.push(entry);
      entry.position = entries.length - 1;
      up(entry);
    },
    moved,
    remove(entry) {
      const last = entries.pop();
      const position = entry.position;
      entry.position = -1;
      if (last === undefined || last === entry) return;
      place(last, position);
      moved(last);
    },
  };
}
