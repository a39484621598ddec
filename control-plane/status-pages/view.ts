import { toIso } from '../../kernel/clock.js';
import type { PageSettings, StatusPageDocument } from './documents.js';
import { hostView } from './hosts/view.js';
import type { StatusPageNeeds } from './needs.js';
import { pagePath } from './paths.js';
import type { StatusPage } from './schema.js';

/** Returns a status page as the API shows it. */
export function statusPageView(
  page: StatusPageDocument,
  { publicUrl, box }: Pick<StatusPageNeeds, 'publicUrl' | 'box'>,
): StatusPage {
  return {
    id: page._id,
    url: `${publicUrl}${pagePath(page.slug)}`,
    ...settingsShown(page),
    has_password: page.password_hash !== null,
    logo_url: page.logo == null ? null : `${publicUrl}${pagePath(page.slug)}/logo?v=${page.logo.hash}`,
    hosts: (page.hosts ?? []).map((host) => hostView(host, page._id, { publicUrl, box })),
    created_by: page.created_by,
    created_at: toIso(page.created_at_ms),
    updated_at: toIso(page.updated_at_ms),
  };
}

/** Returns the settings in the API's shape. */
export function settingsShown(page: PageSettings) {
  const { slug, title, description, time_zone, color, groups, incidents_after_minutes, visibility, hosts = [] } = page;
  const host_names = hosts.map(({ name }) => name);
  return { slug, title, description, time_zone, color, groups, incidents_after_minutes, visibility, host_names };
}
