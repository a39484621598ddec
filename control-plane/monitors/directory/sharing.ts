/** When more values are kept for sharing, all are dropped. That costs memory only. */
const SHARED_VALUES_MAX = 20_000;

/** Returns a function that stores values once that are equal as JSON: monitors have few different lists of locations. */
export function createSharing(): <T>(value: T) => T {
  const values = new Map<string, unknown>();
  return <T>(value: T): T => {
    const key = JSON.stringify(value);
    const shared = values.get(key) as T | undefined;
    if (shared !== undefined) return shared;
    if (values.size >= SHARED_VALUES_MAX) values.clear();
    values.set(key, value);
    return value;
  };
}
