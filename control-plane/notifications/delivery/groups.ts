/**
 * Collects what comes while one group is being handled into the next one, so that many writes share a round trip
 * and a single one waits for nobody. Each call resolves or rejects with the group that its item went with.
 */
export function createGroups<T>(
  itemsMax: number,
  handle: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  interface Waiting {
    item: T;
    resolve: () => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let busy = false;

  async function handleAll(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, itemsMax);
      try {
        await handle(group.map(({ item }) => item));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void handleAll();
    });
}
