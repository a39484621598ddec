import type { LiveUpdate } from '../../../control-plane/results/live-store.js';

/** Returns the update of a monitor of `buildMonitor` by a good check from Frankfurt. */
export function liveUpdate(
  monitorId: string,
  checkedAtMs: number,
  how: Partial<LiveUpdate['result']> = {},
): LiveUpdate {
  return {
    ...{ workspaceId: 'ws_history', monitorId, monitorVersion: 1, location: 'fra', certificate: null },
    result: {
      ...{ checked_at_ms: checkedAtMs, slot_ms: checkedAtMs, attempt: 0, final: true, received_at_ms: checkedAtMs },
      ...{ up: true, response_time_ms: 5, http_status: 200, error: null },
      ...how,
    },
  };
}
