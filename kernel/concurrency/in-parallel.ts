/** Works on all items, in their order, up to `parallel` at a time. Rejects as soon as one fails; the others go on. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  parallel: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items].values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
