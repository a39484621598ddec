import { cut } from '../../cut.js';

/** What a check looks at, in the order in which it is shown. */
export const AREAS = ['mx', 'spf', 'dkim', 'dmarc', 'mta_sts', 'tls_rpt', 'reverse_dns', 'starttls'] as const;
export type AreaName = (typeof AREAS)[number];

/** How sentences name the areas. */
export const AREA_TITLES: Readonly<Record<AreaName, string>> = {
  mx: 'MX',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS-RPT',
  reverse_dns: 'Reverse DNS',
  starttls: 'STARTTLS',
};

export const AREA_STATUSES = ['passing', 'warning', 'failing', 'unknown', 'not_measured'] as const;
export type AreaStatus = (typeof AREA_STATUSES)[number];

/** A status that says something about the domain. */
export type KnownStatus = Exclude<AreaStatus, 'unknown' | 'not_measured'>;

export const FINDING_LEVELS = ['failing', 'warning', 'info'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

/** One thing that a check found, with what to do about it. */
export interface Finding {
  /** `spf_too_many_lookups`. */
  code: string;
  level: FindingLevel;
  message: string;
  /** null where there is nothing to do. */
  next_step: string | null;
}

/** What the check read. */
export interface Evidence {
  label: string;
  value: string;
}

/** A DNS record to publish. */
export interface RecordProposal {
  type: 'TXT' | 'MX';
  name: string;
  value: string;
}

/** The verdict on one area. */
export interface AreaVerdict {
  status: AreaStatus;
  findings: Finding[];
  evidence: Evidence[];
  proposal: RecordProposal | null;
  /** false: the domain does not need the area, so it is no part of the score. */
  applies: boolean;
}

const EVIDENCE_CHARS_MAX = 500;
const EVIDENCE_MAX = 24;
const FINDINGS_MAX = 24;

/** Returns the verdict that the findings mean: the worst of their levels. Pure. */
export function decided(
  findings: readonly Finding[],
  evidence: readonly Evidence[],
  proposal: RecordProposal | null = null,
): AreaVerdict {
  const has = (level: FindingLevel) => findings.some((finding) => finding.level === level);
  return {
    status: has('failing') ? 'failing' : has('warning') ? 'warning' : 'passing',
    findings: findings.slice(0, FINDINGS_MAX),
    evidence: bounded(evidence),
    proposal,
    applies: true,
  };
}

/** Returns the verdict of an area that could not be looked up. */
export function unknown(message: string, evidence: readonly Evidence[] = []): AreaVerdict {
  const next_step = 'Picket checks again with the next check. The score stays as it is until then.';
  return {
    status: 'unknown',
    findings: [{ code: 'lookup_failed', level: 'info', message, next_step }],
    evidence: bounded(evidence),
    proposal: null,
    applies: true,
  };
}

/** Returns the verdict of an area that Picket cannot measure from where it runs. */
export function notMeasured(finding: Omit<Finding, 'level'>, evidence: readonly Evidence[] = []): AreaVerdict {
  return {
    status: 'not_measured',
    findings: [{ ...finding, level: 'info' }],
    evidence: bounded(evidence),
    proposal: null,
    applies: true,
  };
}

/** Returns the verdict of an area that the domain does not need. */
export function notNeeded(message: string, evidence: readonly Evidence[] = []): AreaVerdict {
  return { ...notMeasured({ code: 'not_needed', message, next_step: null }, evidence), applies: false };
}

/** Foreign text is stored and shown, so it is cut and has no control characters. */
function bounded(evidence: readonly Evidence[]): Evidence[] {
  return evidence
    .slice(0, EVIDENCE_MAX)
    .map(({ label, value }) => ({ label, value: cut(value.replace(/[\p{C}\s]+/gu, ' ').trim(), EVIDENCE_CHARS_MAX) }));
}
