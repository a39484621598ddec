import type { LocationDocument } from '../documents.js';
import type { LocationDirectory } from '../nodes.js';
import type { Presence } from '../presence/presence.js';
import type { LocationStore } from './store.js';

/** The locations as of the last read. */
export interface LocationCache extends LocationDirectory {
  refresh(): Promise<void>;
  canaryTargets(code: string): string[];
  /** Calls the listener with the code of a location whose canary targets have changed. */
  onCanariesChanged(listener: (code: string) => void): void;
}

/** Returns an empty cache; `refresh` fills it. `canaryTargets` are the targets of locations without their own. */
export function createLocationCache(needs: {
  store: LocationStore;
  presence: Presence;
  canaryTargets: readonly string[];
}): LocationCache {
  const { store, presence } = needs;
  const listeners: ((code: string) => void)[] = [];
  let locations = new Map<string, LocationDocument>();
  const canaryTargets = (code: string) => {
    const own = locations.get(code)?.canary_targets ?? [];
    return [...(own.length > 0 ? own : needs.canaryTargets)];
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
