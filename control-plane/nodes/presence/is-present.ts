/** A location without a probe counts as present for this long: longer than a reconnect or a deployment takes. */
export const ABSENT_AFTER_MS = 30_000;

/** Whether the location can check, or could so recently that its probe may only be reconnecting. */
export function isPresent(
  { checkingProbes, lastCheckingAtMs }: { checkingProbes: number; lastCheckingAtMs: number | null },
  nowMs: number,
): boolean {
  return checkingProbes > 0 || (lastCheckingAtMs !== null && nowMs - lastCheckingAtMs < ABSENT_AFTER_MS);
}
