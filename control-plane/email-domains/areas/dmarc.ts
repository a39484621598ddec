import { getDomain } from 'tldts';
import type { Lookups } from '../check/lookups.js';
import { type AreaVerdict, decided, type Evidence, type Finding, type RecordProposal, unknown } from './area.js';
import { isDnsName, plainName } from './dns-name.js';
import { type FoundRecords, readTags, recordsOf } from './record-texts.js';

const VERSION = /^v\s*=\s*DMARC1\s*(;|$)/i;
/** Receivers of reports whose consent is looked up. */
const REPORT_DOMAINS_MAX = 5;
const POLICIES = ['none', 'quarantine', 'reject'] as const;
type Policy = (typeof POLICIES)[number];

export interface DmarcAnswers {
  /** The domain that publishes the record: the domain itself, else its organizational domain. */
  domain: string;
  isInherited: boolean;
  records: FoundRecords;
  /** Domains that get reports of another one, without having agreed (RFC 7489, section 7.1). */
  withoutConsent: string[];
}

export async function readDmarc(name: string, lookups: Lookups): Promise<DmarcAnswers> {
  const own = recordsOf(await lookups.texts(`_dmarc.${name}`), VERSION);
  const organization = getDomain(name) ?? name;
  const isInherited = own.kind === 'found' && own.texts.length === 0 && organization !== name;
  const domain = isInherited ? organization : name;
  const records = isInherited ? recordsOf(await lookups.texts(`_dmarc.${domain}`), VERSION) : own;
  const [text] = records.kind === 'found' && records.texts.length === 1 ? records.texts : [];
  return {
    domain,
    isInherited,
    records,
    withoutConsent: text === undefined ? [] : await refused(text, domain, lookups),
  };
}

async function refused(text: string, domain: string, lookups: Lookups): Promise<string[]> {
  const foreign = reportDomains(text).filter((receiver) => getDomain(receiver) !== getDomain(domain));
  const checked = foreign.slice(0, REPORT_DOMAINS_MAX).map(async (receiver) => {
    const consent = recordsOf(await lookups.texts(`${domain}._report._dmarc.${receiver}`), VERSION);
    return consent.kind === 'found' && consent.texts.length === 0 ? [receiver] : [];
  });
  return (await Promise.all(checked)).flat();
}

/** Returns the domains to which reports go, without duplicates. */
function reportDomains(text: string): string[] {
  const tags = readTags(text);
  const uris = [tags?.get('rua') ?? '', tags?.get('ruf') ?? ''].flatMap((list) => list.split(','));
  const domains = uris.map((uri) => plainName(/^mailto:[^@]+@([^!?]+)/i.exec(uri.trim())?.[1]?.trim() ?? ''));
  return [...new Set(domains.filter(isDnsName))];
}

/** What a DMARC record says (RFC 7489, section 6.3), with what is wrong with it. */
interface DmarcRecord {
  policy: Policy | null;
  subdomainPolicy: Policy | null;
  percent: number;
  alignment: { dkim: 'relaxed' | 'strict'; spf: 'relaxed' | 'strict' };
  reports: number;
  invalid: string[];
}

/** Reads a record strictly; null if it is not a list of tags. Pure. */
function parseDmarc(text: string): DmarcRecord | null {
  const tags = readTags(text);
  if (tags === null) return null;
  const invalid: string[] = [];
  const oneOf = <Value extends string>(tag: string, values: Readonly<Record<string, Value>>): Value | null => {
    const value = tags.get(tag)?.toLowerCase();
    if (value === undefined) return null;
    const known = Object.hasOwn(values, value) ? (values[value] ?? null) : null;
    if (known === null) invalid.push(tag);
    return known;
  };
  const policies = Object.fromEntries(POLICIES.map((policy) => [policy, policy]));
  const alignments = { r: 'relaxed', s: 'strict' } as const;
  const policy = oneOf('p', policies);
  const subdomainPolicy = oneOf('sp', policies);
  const percent = tags.get('pct');
  const isPercent = percent === undefined || (/^\d{1,3}$/.test(percent) && Number(percent) <= 100);
  if (!isPercent) invalid.push('pct');
  const uris = (tags.get('rua') ?? '').split(',').filter((uri) => uri.trim() !== '');
  const reports = uris.filter((uri) => /^mailto:[^@\s]+@[^@\s]+$/i.test(uri.trim()));
  if (reports.length < uris.length) invalid.push('rua');
  return {
    ...{ policy, subdomainPolicy, reports: reports.length },
    percent: isPercent && percent !== undefined ? Number(percent) : 100,
    alignment: { dkim: oneOf('adkim', alignments) ?? 'relaxed', spf: oneOf('aspf', alignments) ?? 'relaxed' },
    invalid,
  };
}

/** Returns the verdict on the DMARC record. Pure. */
export function judgeDmarc(name: string, { domain, isInherited, records, withoutConsent }: DmarcAnswers): AreaVerdict {
  if (records.kind === 'unknown')
    return unknown(`The DMARC record of ${name} could not be looked up: ${records.reason}.`);
  const label = `TXT _dmarc.${domain}`;
  const proposal: RecordProposal = {
    ...{ type: 'TXT', name: `_dmarc.${name}` },
    value: `v=DMARC1; p=none; rua=mailto:postmaster@${name}`,
  };
  const [text] = records.texts;
  if (text === undefined) {
    const message = `${name} has no DMARC record, so receivers do not know what to do with forged mail.`;
    const next_step =
      'Publish a record with “p=none” and an address for reports. When they show no mail of yours that fails, change to “p=quarantine” or “p=reject”.';
    return decided([failing('dmarc_missing', message, next_step)], [{ label, value: 'no DMARC record' }], proposal);
  }
  const evidence: Evidence[] = records.texts.map((value) => ({ label, value }));
  if (records.texts.length > 1) {
    const message = `${domain} has ${records.texts.length} DMARC records. Receivers then ignore all of them.`;
    return decided([failing('dmarc_several_records', message, 'Keep one record and delete the others.')], evidence);
  }
  const record = parseDmarc(text);
  if (record === null || (record.policy === null && record.reports === 0)) {
    const message = `The DMARC record of ${domain} has no valid policy. Receivers ignore it.`;
    return decided([failing('dmarc_invalid', message, 'Publish a valid record.')], evidence, proposal);
  }
  evidence.push({ label: 'Alignment', value: `DKIM ${record.alignment.dkim}, SPF ${record.alignment.spf}` });
  if (isInherited) evidence.push({ label: 'Inherited', value: `the record of ${domain} applies` });
  return decided(recordFindings(domain, record, isInherited, withoutConsent), evidence);
}

function failing(code: string, message: string, next_step: string): Finding {
  return { code, level: 'failing', message, next_step };
}

function recordFindings(
  domain: string,
  record: DmarcRecord,
  isInherited: boolean,
  withoutConsent: readonly string[],
): Finding[] {
  const findings: Finding[] = [];
  const warn = (code: string, message: string, next_step: string) =>
    findings.push({ code, level: 'warning', message, next_step });
  // Without a valid policy but with an address for reports, receivers act as for none (section 6.6.3).
  const own = record.policy ?? 'none';
  const policy = isInherited ? (record.subdomainPolicy ?? own) : own;
  if (policy === 'none') {
    const message = `The policy is “none”: receivers deliver forged mail of ${domain} as before.`;
    warn(
      'dmarc_policy_none',
      message,
      'When the reports show no mail of yours that fails, change to “p=quarantine” or “p=reject”.',
    );
  } else if (!isInherited && record.subdomainPolicy === 'none') {
    const message = 'The policy of subdomains is “none” (“sp=none”), so anybody can send in the name of a subdomain.';
    warn('dmarc_subdomains_open', message, 'Remove “sp=none” when subdomains that send mail pass SPF or DKIM.');
  }
  if (record.percent < 100) {
    const message = `The policy applies to ${record.percent} % of the mail only.`;
    warn('dmarc_percent', message, 'Remove “pct” when the reports show no mail of yours that fails.');
  }
  if (record.reports === 0) {
    const message = 'No address gets the aggregate reports, so you do not see who sends in your name.';
    warn('dmarc_without_reports', message, `Add an address, such as “rua=mailto:postmaster@${domain}”.`);
  }
  if (record.invalid.length > 0) {
    const names = record.invalid.join(', ');
    warn(
      'dmarc_invalid_tags',
      `Tags of the record have values that are not valid: ${names}.`,
      'Correct or remove them.',
    );
  }
  for (const receiver of withoutConsent) {
    const message = `${receiver} gets reports about ${domain}, but has not agreed to it, so most senders of reports skip it.`;
    warn('dmarc_reports_refused', message, `Publish “v=DMARC1” as TXT record ${domain}._report._dmarc.${receiver}.`);
  }
  return findings;
}
