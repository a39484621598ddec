/** CI has a machine of unknown speed, and a wait that succeeds costs nothing there. */
const CI_FACTOR = 6;

/**
 * Returns the milliseconds after which a wait counts as hanging: six times as many in CI. The deadlines of all things that
 * tests wait for go through here, because a slow machine is no fault of the product.
 */
export function deadlineMs(ms: number): number {
  return process.env['CI'] === 'true' ? ms * CI_FACTOR : ms;
}
