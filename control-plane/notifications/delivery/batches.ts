/**
 * Returns a function that handles items in batches. Items that arrive while a batch is being handled form the next one,
 * so that many writes share a round trip and a single one does not wait. Each call resolves or rejects with the batch of
 * its item.
 */
export function createBatches<T, R = void>(
  itemsMax: number,
  handle: (items: readonly T[]) => Promise<R>,
): (item: T) => Promise<R> {
  interface Waiting {
    item: T;
    resolve: (result: R) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let busy = false;

  async function handleAll(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, itemsMax);
      try {
        const result = await handle(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve(result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
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
