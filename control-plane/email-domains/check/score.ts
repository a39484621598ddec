import { AREAS, type AreaName, type KnownStatus } from '../areas/area.js';

/** The points of each area. Together 100. docs/email-domains.md documents them. */
export const AREA_POINTS: Readonly<Record<AreaName, number>> = {
  mx: 20,
  spf: 20,
  dkim: 20,
  dmarc: 20,
  mta_sts: 5,
  tls_rpt: 5,
  reverse_dns: 5,
  starttls: 5,
};

/** The part of its points that an area gets. */
const PARTS: Readonly<Record<KnownStatus, number>> = { passing: 1, warning: 0.5, failing: 0 };

/**
 * Returns the latest known status of an area: `unknown` where it was never known, and `left_out` where it cannot be measured
 * or is not needed.
 */
export type AreaStanding = KnownStatus | 'unknown' | 'left_out';

export type Standings = Readonly<Record<AreaName, AreaStanding>>;

/** Returns the points of an area; null if it is no part of the score. */
export function pointsOf(area: AreaName, standing: AreaStanding): number | null {
  if (standing === 'unknown' || standing === 'left_out') return null;
  return AREA_POINTS[area] * PARTS[standing];
}

/**
 * Returns the score from 0 to 100: the points of the areas that are known, as a percentage of what they could have, rounded down.
 * null while an area was never known. Pure.
 */
export function scoreOf(standings: Standings): number | null {
  if (AREAS.some((area) => standings[area] === 'unknown')) return null;
  let points = 0;
  let possible = 0;
  for (const area of AREAS) {
    const own = pointsOf(area, standings[area]);
    if (own === null) continue;
    points += own;
    possible += AREA_POINTS[area];
  }
  return possible === 0 ? null : Math.floor((100 * points) / possible);
}
