import type { Assignment } from '../../../probe/schedule.js';

/** Returns the assignment of a TCP check each minute, without retries. */
export function assignment(monitorId: string, overrides: Partial<Assignment> = {}): Assignment {
  return {
    monitorId,
    version: 1,
    type: 'tcp',
    url: 'tcp://127.0.0.1:1',
    intervalSeconds: 60,
    phaseMs: 0,
    timeoutMs: 1000,
    retries: 0,
    http: null,
    retryDelayMs: 0,
    ...overrides,
  };
}
