import { platformActor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { isSameHost, isSameSite } from '../address.js';
import type { AboutSite, SiteDocument } from '../documents.js';
import { siteResource } from '../load.js';
import type { SiteNeeds } from '../needs.js';
import { codeHash } from './code.js';
import type { Activate, Poll } from './messages.js';

const SECRET_BYTES = 32;

/**
 * Connects the plugin that has the activation code. The code is used up, and a plugin that was connected before loses its
 * access. Resolves to null for a wrong or expired code. Throws 409 if the WordPress has another address than the site.
 */
export async function activateSite(
  { sites, box, audit, clock, random }: SiteNeeds,
  tx: Transaction,
  input: Activate,
): Promise<{ site: SiteDocument; secret: string } | null> {
  const hash = codeHash(input.code);
  const site = hash === null ? null : await sites.findByCode(tx, hash);
  const nowMs = clock.now();
  if (site === null || site.code === null || site.code.expires_at_ms <= nowMs) return null;
  if (!isSameSite(site.url, input.home_url)) {
    const detail = `The code is for ${site.url}, but the address of this WordPress is ${input.home_url}. Add it to Picket as a site of its own.`;
    throw new AppError('conflict', detail);
  }
  const secret = random.bytes(SECRET_BYTES).toString('hex');
  const changed = await sites.change(tx, site, {
    code: null,
    secret: box.seal(secret, { purpose: 'site', id: site._id }),
    about: aboutOf(site, input),
    ...{ connected_at_ms: nowMs, disconnected_at_ms: null, seen_at_ms: nowMs, proven_at_ms: null },
    // The answer to the nudge proves that the site at the URL has the secret.
    ...{ nudge_at_ms: nowMs, nudges_failed: 0, look_at_ms: nowMs, updated_at_ms: nowMs },
  });
  if (changed === null) return null;
  await audit.record(tx, platformActor(site.workspace_id), {
    action: 'site.connected',
    resource: siteResource(site),
    metadata: { plugin_version: input.plugin_version, wp_version: input.wp_version },
  });
  return { site: changed, secret };
}

/** Returns what is stored of what the plugin says. The control plane calls no other host than that of the site. */
export function aboutOf(site: Pick<SiteDocument, 'url'>, said: Activate | Poll): AboutSite {
  const { plugin_version, wp_version, php_version, server, site_url = site.url } = said;
  const own = isSameHost(site_url, site.url) ? site_url.replace(/\/+$/, '') : site.url;
  return { plugin_version, wp_version, php_version, server, site_url: own };
}
