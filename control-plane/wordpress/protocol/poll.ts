import { toIso } from '../../../kernel/clock.js';
import type { Transaction } from '../../storage/transaction.js';
import { CHECK_IDS, type CheckId } from '../checks/catalogue.js';
import { type CheckReadings, type JobDocument, readingsOf, type SiteDocument } from '../documents.js';
import { advanceJob } from '../jobs/advance.js';
import { checksBeingUndone } from '../jobs/states.js';
import type { SiteNeeds } from '../needs.js';
import { noteMeasured } from '../note-measured.js';
import { isStopped, type StandingNeeds } from '../stopped.js';
import { compareReported } from '../vulnerabilities/compare-reported.js';
import { aboutOf } from './activate.js';
import type { Poll } from './messages.js';

/** How long the plugin waits until it asks again, without a nudge. */
const NEXT_POLL_S = 300;
/**
 * Between the beginnings of looks that a plugin causes, each of which is a dozen requests. A site that has not proved that it is
 * the connected one may belong to somebody who knows nothing of it.
 */
const LOOK_PAUSE_MS = 10_000;
const UNPROVEN_LOOK_PAUSE_MS = 60_000;

/**
 * Takes what the plugin has measured and done, and resolves to what it is to do next: the payload of the answer. Jobs are
 * delivered until the plugin has sent their results, and the plugin does each once.
 */
export async function answerPoll(
  needs: SiteNeeds & StandingNeeds,
  tx: Transaction,
  site: SiteDocument,
  poll: Poll,
): Promise<string> {
  const { sites, jobs, clock } = needs;
  const nowMs = clock.now();
  const open = await jobs.openOf(tx, site.workspace_id, site._id);
  const changed = await takeResults(needs, tx, { site, open, poll, nowMs });
  const readings: SiteDocument['readings'] = {};
  // An applied change of a plugin may have waited for the plugins that the site reports only now.
  let isLookDue = changed.size > 0 || open.some(({ plugin, status }) => plugin !== undefined && status === 'applied');
  for (const { id, status, evidence, applied, obstacle = '', pasteable = true } of poll.checks) {
    // The control plane says so itself, from the plugins that the site reports.
    if (id === 'vulnerable-plugins') continue;
    const known = readingsOf(site, id);
    const inside: CheckReadings['inside'] = { status, evidence, at_ms: nowMs };
    readings[id] = {
      ...known,
      inside,
      applied,
      obstacle,
      pasteable,
      ...(changed.has(id) ? { changed_at_ms: nowMs } : {}),
    };
    // Somebody else may have closed it: only another look can say so, because the last one counts until then.
    const isContradicted = status === 'passing' && known.outside?.status === 'failing';
    if (isContradicted && known.inside?.status !== 'passing') isLookDue = true;
  }
  const compared = await comparePlugins(needs, tx, {
    ...{ site, poll, nowMs, readings },
    isAwaited: changed.has('vulnerable-plugins'),
  });
  const about = aboutOf(site, poll);
  const { undo_obstacle: obstacle } = poll;
  const undo = obstacle === undefined ? {} : { undo_before_plugins: { obstacle, at_ms: nowMs } };
  const seen = await sites.saveSeen(tx, site, { about, seen_at_ms: nowMs, readings, ...compared, ...undo });
  const undone = checksBeingUndone(open, ({ _id }) => poll.results.some(({ job_id }) => job_id === _id));
  if (seen !== null)
    await noteMeasured(
      needs,
      tx,
      withoutUndone(seen, open, changed),
      CHECK_IDS.filter((id) => id in readings && !undone.has(id)),
    );
  if (isLookDue) await sites.makeDue(tx, site, { look_at_ms: nextLookMs(site, nowMs) });
  const delivered = (await isStopped(needs, site)) ? [] : await deliver(needs, tx, { site, poll, nowMs });
  return JSON.stringify({
    time: toIso(nowMs),
    next_poll_seconds: NEXT_POLL_S,
    jobs: delivered.map(({ _id, kind, check, plugin }) => ({
      ...{ id: _id, kind, check },
      ...(plugin === undefined ? {} : { plugin: plugin.slug }),
    })),
  });
}

/** Forgets that checks passed whose fix a person has had undone: that they fail then is no surprise. */
function withoutUndone(site: SiteDocument, open: readonly JobDocument[], changed: ReadonlySet<CheckId>): SiteDocument {
  const watches = { ...site.watches };
  for (const { kind, check } of open) if (kind === 'undo' && changed.has(check)) delete watches[check];
  return { ...site, watches };
}

function nextLookMs({ looked_at_ms, proven_at_ms }: SiteDocument, nowMs: number): number {
  if (looked_at_ms === undefined) return nowMs;
  return Math.max(nowMs, looked_at_ms + (proven_at_ms === null ? UNPROVEN_LOOK_PAUSE_MS : LOOK_PAUSE_MS));
}

/** Compares the plugins that a site reports with the feed. Adds the reading, and resolves to what else is stored of them. */
async function comparePlugins(
  needs: SiteNeeds,
  tx: Transaction,
  {
    site,
    poll,
    nowMs,
    readings,
    isAwaited,
  }: {
    site: SiteDocument;
    poll: Poll;
    nowMs: number;
    readings: SiteDocument['readings'];
    isAwaited: boolean;
  },
): Promise<Pick<SiteDocument, 'plugins' | 'vulnerable'>> {
  if (poll.plugins === undefined) return {};
  const plugins = poll.plugins.map((plugin) => ({
    ...plugin,
    slug: plugin.slug.toLowerCase(),
    name: plugin.name === '' ? plugin.slug : plugin.name,
  }));
  const inventory = { at_ms: nowMs, complete: poll.plugins_complete ?? true, plugins };
  const compared = await compareReported(needs, tx, { site, inventory, nowMs, isAwaited });
  if (compared === null) return {};
  readings['vulnerable-plugins'] = { ...readingsOf(site, 'vulnerable-plugins'), inside: compared.reading };
  return { plugins: inventory, vulnerable: compared.comparison };
}

/** Applies the results of jobs. Resolves to the checks that were changed on the site. */
async function takeResults(
  needs: SiteNeeds,
  tx: Transaction,
  { site, open, poll, nowMs }: { site: SiteDocument; open: readonly JobDocument[]; poll: Poll; nowMs: number },
): Promise<Set<CheckId>> {
  const changed = new Set<CheckId>();
  for (const { job_id, outcome, error } of poll.results) {
    const job = open.find(({ _id }) => _id === job_id);
    if (job === undefined) continue;
    const event =
      outcome === 'applied'
        ? { type: outcome, note: error, beforePlugins: poll.before_plugins === true }
        : { type: outcome, error };
    const after = await advanceJob(needs, tx, { job, site, event, nowMs });
    if (after?.status === 'applied') changed.add(job.check);
  }
  return changed;
}

async function deliver(
  needs: SiteNeeds,
  tx: Transaction,
  { site, poll, nowMs }: { site: SiteDocument; poll: Poll; nowMs: number },
): Promise<JobDocument[]> {
  // Read again: a result of this request may just have ended one.
  const open = await needs.jobs.openOf(tx, site.workspace_id, site._id);
  const due = open
    .filter(({ status }) => status === 'queued' || status === 'delivered')
    // A fix can be tested only when everything of the site is loaded.
    .filter(({ kind }) => kind === 'undo' || poll.before_plugins !== true);
  for (const job of due) await advanceJob(needs, tx, { job, site, event: { type: 'delivered' }, nowMs });
  return due;
}
