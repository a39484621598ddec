import type { LocationDirectory, LocationPresence } from '../../../control-plane/nodes/nodes.js';
import type { TestClock } from '../clock.js';

export const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const NAMES: Record<string, string> = {
  fra: 'Frankfurt',
  nyc: 'New York',
  sin: 'Singapore',
  lon: 'London',
  sfo: 'San Francisco',
};
/** The locations, and the monitors that each has. A test changes both. */
export function createFakeLocations(clock: TestClock) {
  const presence = new Map<string, LocationPresence>(
    LOCATIONS.map((code) => [
      code,
      { connectedProbes: 1, checkingProbes: 1, lastCheckingAtMs: clock.now(), canaryOk: null },
    ]),
  );
  const assigned = new Map<string, { monitorId: string; intervalSeconds: number; workspaceId?: string }[]>();
  const locations: LocationDirectory = {
    codes: () => LOCATIONS,
    name: (code) => NAMES[code] ?? code,
    presence: (code) =>
      presence.get(code) ?? { connectedProbes: 0, checkingProbes: 0, lastCheckingAtMs: null, canaryOk: null },
  };
  const locationsOf = (id: string) =>
    LOCATIONS.filter((code) => assigned.get(code)?.some(({ monitorId }) => monitorId === id));
  const assignments = {
    *monitors(code: string) {
      for (const { monitorId: id, intervalSeconds, workspaceId = 'ws_test' } of [...(assigned.get(code) ?? [])]) {
        const locations = () => locationsOf(id);
        yield {
          id,
          workspace_id: workspaceId,
          version: 1,
          interval_seconds: intervalSeconds,
          get locations() {
            return locations();
          },
        };
      }
    },
  };
  return { presence, assigned, locations, assignments };
}
