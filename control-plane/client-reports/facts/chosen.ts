import type { MonitorDocument } from '../../monitors/documents.js';
import type { ReportOrder } from '../documents.js';
import type { BackupFacts, DomainFacts, EmailDomainFacts, ReputationFacts, ScanFacts, SiteFacts } from './facts.js';
import { hostOf } from './host-of.js';

/** Returns the monitors that a report is about: those with one of the ids or one of the tags, or all. */
export function chosenMonitors(monitors: MonitorDocument[], chosen: ReportOrder['monitors']): MonitorDocument[] {
  if (chosen === null) return monitors;
  const [ids, names] = [new Set(chosen.ids), new Set(chosen.tags)];
  return monitors.filter(({ _id, tags }) => ids.has(_id) || tags.some((tag) => names.has(tag)));
}

/**
 * Returns the blacklist targets that belong to chosen monitors: their hosts, and domains above these; all for null. A report for one client
 * must not name those of another one.
 */
export function targetsOf(
  reputation: ReputationFacts[],
  monitors: readonly MonitorDocument[] | null,
): ReputationFacts[] {
  return ofMonitors(reputation, ({ target }) => target, monitors);
}

/** Returns the e-mail domains that belong to chosen monitors, like `targetsOf`. */
export function domainsOf(
  domains: EmailDomainFacts[],
  monitors: readonly MonitorDocument[] | null,
): EmailDomainFacts[] {
  return ofMonitors(domains, ({ name }) => name, monitors);
}

/** Returns the registered domains of chosen monitors, like `targetsOf`. */
export function registeredDomainsOf(
  domains: DomainFacts[],
  monitors: readonly MonitorDocument[] | null,
): DomainFacts[] {
  return ofMonitors(domains, ({ name }) => name, monitors);
}

/** Returns the scans of the websites of chosen monitors; all for null. Another port of a host is another website. */
export function scansOf(scans: ScanFacts[], monitors: readonly MonitorDocument[] | null): ScanFacts[] {
  if (monitors === null) return scans;
  const origins = new Set(monitors.flatMap(({ url }) => (URL.canParse(url) ? new URL(url).origin : [])));
  return scans.filter(({ target }) => origins.has(new URL(target).origin));
}

function ofMonitors<Fact>(
  facts: Fact[],
  nameOf: (fact: Fact) => string,
  monitors: readonly MonitorDocument[] | null,
): Fact[] {
  if (monitors === null) return facts;
  const hosts = monitors.flatMap(({ url }) => hostOf(url) ?? []);
  return facts.filter((fact) => hosts.some((host) => host === nameOf(fact) || host.endsWith(`.${nameOf(fact)}`)));
}

/** Returns the backup jobs that have one of the chosen tags; all for null. Those of another client must not be named. */
export function chosenBackups(backups: BackupFacts[], chosen: ReportOrder['monitors']): BackupFacts[] {
  if (chosen === null) return backups;
  const names = new Set(chosen.tags);
  return backups.filter(({ tags }) => tags.some((tag) => names.has(tag)));
}

/**
 * Returns the WordPress sites that chosen monitors watch; all for null. A monitor watches the site of its host, with or without `www.`,
 * whose path is the longest one that its own begins with: sites of one host, also one below the other, may belong to two clients.
 */
export function sitesOf(sites: SiteFacts[], monitors: readonly MonitorDocument[] | null): SiteFacts[] {
  if (monitors === null) return sites;
  const places = sites.map(({ url }) => placeOf(url));
  const watched = new Set<string>();
  for (const { url } of monitors) {
    const monitor = placeOf(url);
    if (monitor === null) continue;
    const paths = places.flatMap((site) =>
      site?.host === monitor.host && monitor.path.startsWith(site.path) ? site.path : [],
    );
    if (paths.length > 0)
      watched.add(monitor.host + paths.reduce((one, other) => (other.length > one.length ? other : one)));
  }
  return sites.filter((_, number) => {
    const place = places[number];
    return place != null && watched.has(place.host + place.path);
  });
}

function placeOf(url: string): { host: string; path: string } | null {
  if (!URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  return { host: host.replace(/^www\./, ''), path: pathname.endsWith('/') ? pathname : `${pathname}/` };
}
