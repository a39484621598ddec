/** Lets other work of the process run if it has waited for long. Rejects when nobody waits for the import any more. */
export type Turn = () => Promise<void>;

/** Entries between which other work may get a turn: they take a few milliseconds. */
const ENTRIES_PER_TURN = 20;

/** Like `map`, in parts of which each waits for its turn. */
export async function mapInParts<Item, Result>(
  items: readonly Item[],
  turn: Turn,
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % ENTRIES_PER_TURN === 0) await turn();
    results.push(work(item, index));
  }
  return results;
}
