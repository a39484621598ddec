/** Returns the first slot after `afterMs`. Slots are at `k * interval + phase`. */
export function slotAfter(afterMs: number, intervalMs: number, phaseMs: number): number {
  return (Math.floor((afterMs - phaseMs) / intervalMs) + 1) * intervalMs + phaseMs;
}
