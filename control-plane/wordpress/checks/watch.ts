import { type CheckTrouble, type CheckWatch, readingsOf, type SiteDocument } from '../documents.js';
import { CHECK_IDS, type CheckId } from './catalogue.js';
import { isCurrent, stateOf } from './status.js';

/** A single failing measurement of the plugin may be a moment in the middle of an update. */
const MEASUREMENTS_MIN = 2;

/** What is stored of how the checks of a site change. */
export type Watched = Required<Pick<SiteDocument, 'watches' | 'troubles'>>;

/**
 * Returns which checks of a site passed and fail now, after the checks in `measured` were measured. A check has trouble when two
 * measurements of the plugin in a row fail after one passed, or one look from outside fails after one passed there, since the
 * connection. `unknown` changes nothing. Pure.
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
  const readings = readingsOf(site, check);
  const { outside, changed_at_ms } = readings;
  const before = site.watches?.[check];
  const passesOutside = outside?.status === 'passing' && isCurrent(readings, outside.at_ms, nowMs);
  const passed_outside_at_ms = passesOutside ? outside.at_ms : (before?.passed_outside_at_ms ?? null);
  const { passed_at_ms = null, failing = null } = before ?? {};
  const known: CheckWatch = { passed_at_ms, passed_outside_at_ms, failing };
  const state = stateOf(readings, nowMs);
  if (state.status === 'passing') {
    // What everybody has seen failing must be seen passing: a look that finds nothing out, and the plugin, do not show it.
    if (failing?.from_outside && !passesOutside) return known;
    return { passed_at_ms: nowMs, passed_outside_at_ms, failing: null };
  }
  // A look that fails is a surprise only if one passed since the last change; without that, the plugin alone counts.
  const hasPassedOutside = passed_outside_at_ms !== null && passed_outside_at_ms >= (changed_at_ms ?? 0);
  const isSurprise = hasPassedOutside || failing?.from_outside === true;
  const isPluginAsked = state.source === 'outside' && !isSurprise;
  const { status, evidence, checkedAtMs, source } = isPluginAsked
    ? stateOf({ ...readings, outside: null }, nowMs)
    : state;
  // A check that has always failed is for the hardening centre, and wakes nobody.
  if (status !== 'failing' || checkedAtMs === null || passed_at_ms === null) return known;
  const { since_ms = nowMs, measurements = 0, from_outside = false, at_ms = null } = failing ?? {};
  // Something else was measured, and this measurement was counted before.
  if (at_ms === checkedAtMs) return known;
  const isOutside = from_outside || source === 'outside';
  const counted = { since_ms, at_ms: checkedAtMs, evidence, measurements: measurements + 1, from_outside: isOutside };
  return { passed_at_ms, passed_outside_at_ms, failing: counted };
}
