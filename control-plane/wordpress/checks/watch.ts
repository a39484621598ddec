import { type CheckTrouble, type CheckWatch, readingsOf, type SiteDocument } from '../documents.js';
import { CHECK_IDS, type CheckId } from './catalogue.js';
import { stateOf } from './status.js';

/** A single failing measurement of the plugin may be a moment in the middle of an update. */
const MEASUREMENTS_MIN = 2;

/** What is stored of how the checks of a site change. */
export type Watched = Required<Pick<SiteDocument, 'watches' | 'troubles'>>;

/**
 * Returns which checks of a site passed and fail now, after the checks in `measured` were measured. A check has trouble when two
 * measurements in a row fail, or one from outside, after it has passed since the connection. `unknown` changes nothing. Pure.
 */
export function watchAfter(site: SiteDocument, measured: readonly CheckId[], nowMs: number): Watched {
  const watches: Watched['watches'] = { ...site.watches };
  const troubles: CheckTrouble[] = [];
  for (const check of CHECK_IDS) {
    const watch = measured.includes(check) ? watchOfCheck(site, check, nowMs) : site.watches?.[check];
    if (watch === undefined) continue;
    watches[check] = watch;
    const { passed_at_ms, failing } = watch;
    if (passed_at_ms === null || failing === null) continue;
    if (failing.measurements < MEASUREMENTS_MIN && !failing.from_outside) continue;
    troubles.push({ check, passed_at_ms, ...failing });
  }
  return { watches, troubles };
}

function watchOfCheck(site: SiteDocument, check: CheckId, nowMs: number): CheckWatch {
  const known = site.watches?.[check] ?? { passed_at_ms: null, failing: null };
  const { status, evidence, checkedAtMs, source } = stateOf(readingsOf(site, check), nowMs);
  if (status === 'passing') return { passed_at_ms: nowMs, failing: null };
  const { passed_at_ms } = known;
  // A check that has always failed is for the hardening centre, and wakes nobody.
  if (status === 'unknown' || checkedAtMs === null || passed_at_ms === null) return known;
  const { since_ms = nowMs, measurements = 0, from_outside = false, at_ms = null } = known.failing ?? {};
  // Something else was measured, and this measurement was counted before.
  if (at_ms === checkedAtMs) return known;
  const isOutside = from_outside || source === 'outside';
  const failing = { since_ms, at_ms: checkedAtMs, evidence, measurements: measurements + 1, from_outside: isOutside };
  return { passed_at_ms, failing };
}
