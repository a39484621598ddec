/**
 * Values in memory, of which several groups, such as workspaces, have some. When it is full, the group with most gives up the one
 * that it has not used for the longest, so that a group cannot push out those of groups that have fewer.
 */
export interface FairCache<T> {
  /** Returns the value of the key, which `make` creates if there is none. */
  get(group: string, key: string, make: () => T): T;
  size(): number;
}

/** A value takes time in proportion to the groups when the cache is full, and the same time otherwise. */
export function createFairCache<T>(valuesMax: number): FairCache<T> {
  /** By group, the value that was not used for the longest first. */
  const groups = new Map<string, Map<string, T>>();
  let size = 0;

  function makeRoom(group: string): void {
    let [largest, most] = [group, groups.get(group)?.size ?? 0];
    for (const [other, values] of groups) if (values.size > most) [largest, most] = [other, values.size];
    const values = groups.get(largest);
    const oldest = values?.keys().next();
    if (values === undefined || oldest === undefined || oldest.done) return;
    values.delete(oldest.value);
    size -= 1;
    if (values.size === 0) groups.delete(largest);
  }

  return {
    get(group, key, make) {
      const known = groups.get(group);
      const found = known?.get(key);
      if (known !== undefined && found !== undefined) {
        known.delete(key);
        known.set(key, found);
        return found;
      }
      if (size >= valuesMax) makeRoom(group);
      const made = make();
      const values = groups.get(group) ?? new Map<string, T>();
      groups.set(group, values.set(key, made));
      size += 1;
      return made;
    },
    size: () => size,
  };
}
