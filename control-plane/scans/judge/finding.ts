import { cut } from '../../cut.js';

const EVIDENCE_CHARS_MAX = 500;

/** What a scan looks at, in the order in which it is shown. */
export const SCAN_AREAS = ['files', 'ports', 'certificate', 'tls', 'headers', 'cookies', 'content', 'contact'] as const;
export type ScanArea = (typeof SCAN_AREAS)[number];

/** How bad a finding is. `unknown`: it could not be measured, and says nothing about the website. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'passed', 'unknown'] as const;
export type FindingSeverity = (typeof SEVERITIES)[number];

/** One thing that a scan found. */
export interface ScanFinding {
  /** `hsts_missing`. A scan has at most one finding of a code and subject. */
  code: string;
  area: ScanArea;
  severity: FindingSeverity;
  message: string;
  /** What to do, in one sentence; null where there is nothing to do. */
  next_step: string | null;
  /** What the scan read, shortened; null without anything to show. Never a secret. */
  evidence: string | null;
}

/** Findings without their area. Their evidence may still be long. */
export type Judged = Omit<ScanFinding, 'area'>;

export function passed(code: string, message: string, evidence: string | null = null): Judged {
  return { code, severity: 'passed', message, next_step: null, evidence };
}

export function unknown(code: string, message: string): Judged {
  return { code, severity: 'unknown', message, next_step: 'Start another scan.', evidence: null };
}

/** Returns the findings with their area, and with their evidence shortened. */
export function inArea(area: ScanArea, findings: readonly Judged[]): ScanFinding[] {
  return findings.map((finding) => {
    const evidence = finding.evidence === null ? null : cut(finding.evidence, EVIDENCE_CHARS_MAX);
    return { ...finding, area, evidence };
  });
}
