import { type Actor, platformActor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { CheckId } from '../checks/catalogue.js';
import type { JobDocument, PluginJobKind, SiteDocument } from '../documents.js';
import { loadSite } from '../load.js';
import type { SiteNeeds } from '../needs.js';
import type { InstalledPlugin } from '../vulnerabilities/documents.js';
import { vulnerabilitiesView } from '../vulnerabilities/view.js';
import { type QueueNeeds, queue } from './queue.js';

/** A plugin that is running cannot replace its own files and test the result. */
const OWN_SLUG = 'picket-bridge';
const CHECK: CheckId = 'vulnerable-plugins';
/** All jobs that are kept of a site. */
const JOBS_READ_MAX = 200;
/** Picket Bridge keeps the copy of an updated plugin for so long. */
const COPY_KEPT_MS = 24 * 3_600_000;

interface PluginRequest {
  siteId: string;
  slug: string;
  kind: PluginJobKind;
}

/**
 * Queues a change of an installed plugin, to which the actor has agreed. Throws 404 for a plugin that the site does not report,
 * and 409 for one without a known vulnerability, for Picket Bridge itself, and if there is nothing to put back.
 */
export async function queuePluginChange(
  needs: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  { siteId, slug, kind }: PluginRequest,
): Promise<JobDocument> {
  const site = await loadSite(needs.sites, actor, siteId, tx);
  const plugin = installed(site, slug);
  if (plugin.slug === OWN_SLUG) {
    throw new AppError('conflict', 'Picket Bridge cannot change itself while it runs. Update it in WordPress.');
  }
  if (kind === 'restore_plugin') await requireChange(needs, site, plugin);
  else requireVulnerable(site, plugin, needs.clock.now());
  return queue(needs, tx, {
    actor,
    site,
    check: CHECK,
    kind,
    plugin: { ...described(plugin), pages: site.pages ?? null },
  });
}

/** Queues the putting back of a change after which a page is an error page from outside. */
export async function queuePuttingBack(
  needs: QueueNeeds,
  tx: Transaction,
  site: SiteDocument,
  { plugin }: JobDocument,
): Promise<void> {
  if (plugin === undefined || site.secret === null) return;
  await queue(needs, tx, {
    actor: platformActor(site.workspace_id),
    site,
    check: CHECK,
    kind: 'restore_plugin',
    plugin,
  });
}

function installed({ plugins }: SiteDocument, slug: string): InstalledPlugin {
  const plugin = plugins?.plugins.find((one) => one.slug === slug.toLowerCase());
  if (plugin === undefined) throw new AppError('not_found', `This site has reported no plugin “${slug}”.`);
  return plugin;
}

function described({ slug, name, version, active }: InstalledPlugin) {
  return { slug, name, version, active };
}

function requireVulnerable(site: SiteDocument, { slug, name }: InstalledPlugin, nowMs: number): void {
  if (vulnerabilitiesView(site, nowMs)?.found.some((one) => one.slug === slug)) return;
  throw new AppError('conflict', `Picket knows no vulnerability of “${name}” on this site, so it does not change it.`);
}

async function requireChange({ jobs, clock }: SiteNeeds, site: SiteDocument, { slug, name }: InstalledPlugin) {
  const all = await jobs.list(site.workspace_id, site._id, null, JOBS_READ_MAX);
  const last = all.find(({ plugin, applied_at_ms }) => plugin?.slug === slug && applied_at_ms !== null);
  const isKept = last?.kind === 'deactivate_plugin' || clock.now() - (last?.applied_at_ms ?? 0) <= COPY_KEPT_MS;
  if (last !== undefined && last.kind !== 'restore_plugin' && isKept) return;
  throw new AppError('conflict', `Picket has changed nothing of “${name}” that could be put back.`);
}
