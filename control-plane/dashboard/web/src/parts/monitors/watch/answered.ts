import type { Monitor } from '../../../api/types.ts';

/** What the locations of a monitor have answered so far. */
export interface Answered {
  up: number;
  down: number;
  /** Locations with a probe that has not answered yet. */
  awaited: number;
  /** The codes of the locations without a connected probe: they do not answer. */
  withoutProbe: string[];
}

/** Returns how many locations have answered, and which cannot. Pure. */
export function answeredOf({ location_status }: Pick<Monitor, 'location_status'>): Answered {
  const withProbe = location_status.filter(({ status }) => status !== 'no_probe');
  const answers = withProbe.filter(({ checked_at }) => checked_at !== null);
  const down = answers.filter(({ status }) => status === 'down').length;
  return {
    up: answers.length - down,
    down,
    awaited: withProbe.length - answers.length,
    withoutProbe: location_status.filter(({ status }) => status === 'no_probe').map(({ location }) => location),
  };
}

/** With more locations than one, at least so many decide, unless the monitor says otherwise. */
const DECIDING_MIN = 2;

/**
 * Whether some locations check the monitor, but fewer than must agree: then it never goes down. Pure.
 */
export function cannotAgree(monitor: Pick<Monitor, 'location_status' | 'confirmations'>): boolean {
  const { location_status, confirmations } = monitor;
  const voting = location_status.filter(({ status }) => status !== 'no_probe').length;
  return voting > 0 && voting < (confirmations ?? Math.min(DECIDING_MIN, location_status.length));
}

/** Whether no location of the monitor has a probe, so that nothing checks it. Pure. */
export function isUnchecked({ location_status }: Pick<Monitor, 'location_status'>): boolean {
  return location_status.every(({ status }) => status === 'no_probe');
}
