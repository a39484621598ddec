/**
 * Returns a function that runs work with the same key one after another. Work runs even if the previous work with its
 * key failed: a stream that ends must be released although its admission failed.
 */
export function createKeyedQueue(): (key: string, work: () => Promise<void>) => Promise<void> {
  const tails = new Map<string, Promise<void>>();
  return (key, work) => {
    const previous = tails.get(key) ?? Promise.resolve();
    const tail = previous.catch(() => undefined).then(work);
    tails.set(key, tail);
    return tail.finally(() => {
      if (tails.get(key) === tail) tails.delete(key);
    });
  };
}
