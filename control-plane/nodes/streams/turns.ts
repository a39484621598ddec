/**
 * Work under the same key runs one after the other, whatever becomes of the one before: a stream that ends must be
 * released although its admission failed.
 */
export function createTurns(): (key: string, work: () => Promise<void>) => Promise<void> {
  const turns = new Map<string, Promise<void>>();
  return (key, work) => {
    const before = turns.get(key) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(work);
    turns.set(key, turn);
    return turn.finally(() => {
      if (turns.get(key) === turn) turns.delete(key);
    });
  };
}
