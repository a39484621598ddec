import type { Monitor } from '../../../api/types.ts';

/** What the locations say while some of them fail. */
export interface Failing {
  /** The most frequent error: its code, and what the first of these locations said of it. */
  code: string;
  message: string;
  /** Codes of the locations that report it. */
  where: string[];
  failing: number;
  /** Locations that check the monitor. */
  all: number;
  /** How many must fail for an alert. */
  needed: number;
}

/** Returns how many locations must agree that a monitor is down. Pure. */
export function neededVotes({ confirmations, locations, limited_by_plan: limited }: Monitor): number {
  const count = (limited ?? { locations }).locations.length;
  return Math.min((limited === null ? confirmations : limited.confirmations) ?? Math.floor(count / 2) + 1, count);
}

/** Returns what is failing now; null while every location that answered is up. Pure. */
export function failingNow(monitor: Monitor): Failing | null {
  const down = monitor.location_status.filter(({ status, error }) => status === 'down' && error !== null);
  const groups = new Map<string, typeof down>();
  for (const one of down) groups.set(one.error?.code ?? '', [...(groups.get(one.error?.code ?? '') ?? []), one]);
  const [worst] = [...groups].sort(([, a], [, b]) => b.length - a.length);
  if (worst === undefined) return null;
  const [code, group] = worst;
  return {
    code,
    message: group[0]?.error?.message ?? code,
    where: group.map(({ location }) => location),
    failing: group.length,
    all: monitor.location_status.length,
    needed: neededVotes(monitor),
  };
}
