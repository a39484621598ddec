import type { LocationDocument } from '../documents.js';
import type { LocationDirectory } from '../nodes.js';
import type { Presence } from '../presence/presence.js';
import type { LocationStore } from './store.js';

/** The locations as last read. */
export interface LocationCache extends LocationDirectory {
  refresh(): Promise<void>;
  canaryTargets(code: string): string[];
  /** Called with the code of a location whose canary targets are others than before. */
  onCanariesChanged(listener: (code: string) => void): void;
}

/** `canaryTargets` stand in for a location that has none of its own. */
export function createLocationCache(dependencies: {
  store: LocationStore;
  presence: Presence;
  canaryTargets: readonly string[];
}): LocationCache {
  const { store, presence } = dependencies;
  const listeners: ((code: string) => void)[] = [];
  let locations = new Map<string, LocationDocument>();
  const canaryTargets = (code: string) => {
    const own = locations.get(code)?.canary_targets ?? [];
    return [...(own.length > 0 ? own : dependencies.canaryTargets)];
  };
  return {
    codes: () => [...locations.keys()],
    name: (code) => locations.get(code)?.city ?? code,
    presence: (code) => presence.of(code),
    canaryTargets,
    onCanariesChanged: (listener) => void listeners.push(listener),
    async refresh() {
      const before = new Map([...locations.keys()].map((code) => [code, String(canaryTargets(code))]));
      locations = new Map((await store.all()).map((location) => [location._id, location]));
      for (const [code, targets] of before) {
        if (targets === String(canaryTargets(code))) continue;
        for (const listener of listeners) listener(code);
      }
    },
  };
}
