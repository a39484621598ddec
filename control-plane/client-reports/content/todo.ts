import { count, shortName } from '../../wording.js';
import type { CertificateFacts, DomainFacts, ReportFacts, SiteFacts } from '../facts/facts.js';
import type { SectionName } from '../sections.js';
import type { Block } from './content.js';
import type { Reading } from './reading.js';
import { number } from './wording.js';

/** A certificate or a domain with fewer days left needs a renewal. */
export const RENEWAL_DAYS = 14;
const NAMED_MAX = 5;
const CONNECTION_LOST: Readonly<Record<SiteFacts['status'], string>> = {
  connected: '',
  silent: 'no contact for 24 hours',
  disconnected: 'it was disconnected',
};

export function needsRenewal({ grade, daysRemaining }: CertificateFacts): boolean {
  return daysRemaining <= RENEWAL_DAYS || grade === 'T' || grade === 'F';
}

/** Returns the first lines of the report: what has to be done, or that there is nothing. */
export function todoBlocks(reading: Reading): Block[] {
  const { facts } = reading;
  const items = [...monitoringItems(facts), ...itemsOfSections(reading)];
  const missing =
    facts.monitors.length > 0 ? [] : [strong('No monitor was set up, so this report has no uptime figures.')];
  if (items.length === 0) return missing.length > 0 ? missing : [strong('Nothing to do.')];
  return [
    ...missing,
    { type: 'text', strong: true, text: `${count(items.length, 'thing')} to do:` },
    { type: 'list', items },
  ];
}

function monitoringItems({ certificates, domains, reputation, incidents }: ReportFacts): string[] {
  return [
    ...named(certificates.filter(needsRenewal), certificateItem, 'more certificates need a renewal'),
    ...named(
      domains.filter(({ daysRemaining }) => daysRemaining !== null && daysRemaining <= RENEWAL_DAYS),
      domainItem,
      'more domains need a renewal',
    ),
    ...named(
      reputation.filter(({ status }) => status === 'listed'),
      ({ target, listings }) =>
        `Ask for the delisting of ${shortName(target)} from ${listings.map(({ list }) => list).join(', ')}.`,
      'more targets are listed on blacklists',
    ),
    ...named(
      incidents.things.filter(({ open }) => open > 0),
      ({ name, open }) =>
        `Look into ${shortName(name)}: ${count(open, 'incident')} not resolved at the end of the period.`,
      'more have unresolved incidents',
    ),
  ];
}

/** Of the parts that an agency may leave out of a report: what the report does not show, it does not ask for. */
function itemsOfSections({ facts, shown }: Reading): string[] {
  const { emailDomains, backups, scans } = facts;
  const { sites } = facts.wordpress;
  const of = (section: SectionName, items: () => string[]) => (shown.includes(section) ? items() : []);
  return [
    ...of('email_deliverability', () =>
      named(
        emailDomains.filter(({ status }) => status === 'failing'),
        ({ name, failing, warning }) =>
          `Improve the e-mail settings of ${shortName(name)}: ${[...failing, ...warning].join(', ')}.`,
        'more e-mail domains are failing',
      ),
    ),
    ...of('backup_verification', () =>
      named(
        backups.filter(({ failed, missed }) => failed + missed > 0),
        ({ name, failed, missed }) =>
          `Look into the backup ${shortName(name)}: ${count(failed + missed, 'run')} failed or missed.`,
        'more backups have runs that failed or were missed',
      ),
    ),
    ...of('wordpress', () => [
      ...named(
        sites.filter(({ status }) => status !== 'connected'),
        ({ name, status }) => `Reconnect the WordPress site ${shortName(name)}: ${CONNECTION_LOST[status]}.`,
        'more WordPress sites are not connected',
      ),
      ...named(
        sites.filter(({ failing }) => failing > 0),
        ({ name, failing }) => `Harden the WordPress site ${shortName(name)}: ${count(failing, 'check')} failing.`,
        'more WordPress sites have failing checks',
      ),
    ]),
    ...of('security_scans', () =>
      named(
        scans.filter(({ critical, high }) => critical + high > 0),
        ({ target, critical, high }) =>
          `Look into ${shortName(target)}: ${count(critical + high, 'critical or high finding')} in its last scan.`,
        'more websites have critical or high findings',
      ),
    ),
  ];
}

const strong = (text: string): Block => ({ type: 'text', strong: true, text });

function named<Thing>(things: readonly Thing[], say: (thing: Thing) => string, more: string): string[] {
  const rest = things.length - NAMED_MAX;
  return [...things.slice(0, NAMED_MAX).map(say), ...(rest > 0 ? [`${number(rest)} ${more}.`] : [])];
}

function certificateItem({ monitor, grade, daysRemaining }: CertificateFacts): string {
  const name = shortName(monitor);
  if (daysRemaining < 0 || grade === 'F') return `Renew the certificate of ${name}: it has expired.`;
  if (grade === 'T') return `Replace the certificate of ${name}: browsers do not trust it.`;
  return `Renew the certificate of ${name}: ${count(daysRemaining, 'day')} left.`;
}

function domainItem({ name, daysRemaining }: DomainFacts): string {
  const days = daysRemaining ?? 0;
  const left = days < 0 ? 'its registration has expired' : `${count(days, 'day')} left`;
  return `Renew the domain ${shortName(name)}: ${left}.`;
}
