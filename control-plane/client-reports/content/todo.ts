import { count, shortName } from '../../wording.js';
import type { CertificateFacts } from '../facts/facts.js';
import type { Block } from './content.js';
import type { Reading } from './reading.js';
import { number } from './wording.js';

/** A certificate with fewer days left needs a renewal. */
export const RENEWAL_DAYS = 14;
const NAMED_MAX = 5;

export function needsRenewal({ grade, daysRemaining }: CertificateFacts): boolean {
  return daysRemaining <= RENEWAL_DAYS || grade === 'T' || grade === 'F';
}

/** Returns the first lines of the report: what has to be done, or that there is nothing. */
export function todoBlocks({ facts }: Reading): Block[] {
  const items = [
    ...named(facts.certificates.filter(needsRenewal), certificateItem, 'more certificates need a renewal'),
    ...named(
      facts.reputation.filter(({ status }) => status === 'listed'),
      ({ target, listings }) =>
        `Ask for the delisting of ${shortName(target)} from ${listings.map(({ list }) => list).join(', ')}.`,
      'more targets are listed on blacklists',
    ),
    ...named(
      facts.incidents.things.filter(({ open }) => open > 0),
      ({ name, open }) =>
        `Look into ${shortName(name)}: ${count(open, 'incident')} not resolved at the end of the period.`,
      'more have unresolved incidents',
    ),
  ];
  const missing =
    facts.monitors.length > 0 ? [] : [strong('No monitor was set up, so this report has no uptime figures.')];
  if (items.length === 0) return missing.length > 0 ? missing : [strong('Nothing to do.')];
  return [
    ...missing,
    { type: 'text', strong: true, text: `${count(items.length, 'thing')} to do:` },
    { type: 'list', items },
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
