import { type JobDocument, PAGES, type SeenPages, type SiteDocument } from '../documents.js';
import type { JobEvent } from './states.js';

/** A page that gives no answer is requested again for so long: the server may be busy, or the connection to it broken. */
const SILENT_MS_MAX = 300_000;

const NAMES: Readonly<Record<keyof SeenPages, string>> = {
  home: 'the home page',
  login: 'the log-in page',
  feed: 'the feed',
};

/** What follows from a look at a site whose plugin was changed. */
export interface PluginVerdict {
  event: JobEvent;
  /** Whether the change has broken a page, so that it must be taken back. */
  putBack: boolean;
}

/**
 * Returns what is to be said of an applied change of a plugin: it is verified if the site reports its effect since, and no page
 * that answered before is an error page from outside. Returns null while that is not known. Pure.
 */
export function pluginVerdict(
  job: JobDocument,
  { plugins }: Pick<SiteDocument, 'plugins'>,
  pages: SeenPages,
  nowMs: number,
): PluginVerdict | null {
  const { plugin, applied_at_ms } = job;
  if (plugin === undefined || applied_at_ms === null) return null;
  // What was put back is looked at by the next look, and cannot be put back further.
  if (job.kind !== 'restore_plugin') {
    const broken = brokenPage(plugin.pages, pages, nowMs - applied_at_ms > SILENT_MS_MAX);
    if (broken === 'unknown') return null;
    if (broken !== null) {
      const { what, putBack } = broken;
      const next = putBack
        ? 'It is being put back.'
        : 'Inside, the pages answered as before, so the change stays. Put it back if it is the cause.';
      return {
        event: { type: 'contradicted', error: `After the change, seen from outside, ${what}. ${next}` },
        putBack,
      };
    }
  }
  if (plugins === undefined || plugins.at_ms < applied_at_ms) return null;
  const now = plugins.plugins.find(({ slug }) => slug === plugin.slug);
  const without = effectMissing(job, now);
  return { event: without === null ? { type: 'verified' } : { type: 'contradicted', error: without }, putBack: false };
}

/**
 * Returns what a page that answered before does now, in words; null if none is worse. Only an error page is a reason to put the
 * change back: a site that does not answer us may be behind a wall, or in somebody's flood.
 */
function brokenPage(
  before: SeenPages | null,
  now: SeenPages,
  isLongSilent: boolean,
): { what: string; putBack: boolean } | 'unknown' | null {
  const worse = PAGES.filter((page) => now[page].state === 'error' && before?.[page].state !== 'error');
  // One that was never seen may be behind a wall, and then the plugin alone decides.
  const silent = PAGES.filter((page) => now[page].state === 'silent' && before?.[page].state === 'answers');
  const [first] = [...worse, ...silent];
  if (first === undefined) return null;
  if (worse.length === 0 && !isLongSilent) return 'unknown';
  return { what: `${NAMES[first]} ${now[first].evidence}`, putBack: worse.length > 0 && before !== null };
}

function effectMissing({ kind, plugin }: JobDocument, now: { version: string; active: boolean } | undefined) {
  if (kind === 'deactivate_plugin' && now?.active)
    return 'Applied without effect: the site reports the plugin as active.';
  if (kind === 'update_plugin' && now === undefined) return 'Applied, but the site no longer reports the plugin.';
  if (kind === 'update_plugin' && now?.version === plugin?.version) {
    return `Applied without effect: the site still reports version ${now?.version}.`;
  }
  if (kind === 'update_plugin' && plugin?.active && !now?.active) {
    return 'Applied, but the site reports the plugin as no longer active.';
  }
  return null;
}
