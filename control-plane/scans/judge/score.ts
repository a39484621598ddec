import type { FindingSeverity, ScanFinding } from './finding.js';

/** The points that a finding takes off. docs/security/scans.md documents them. */
export const POINTS_OFF: Readonly<Record<FindingSeverity, number>> = {
  critical: 40,
  high: 20,
  medium: 8,
  low: 3,
  info: 0,
  passed: 0,
  unknown: 0,
};

/**
 * Returns the score from 0 to 100: 100 less the points of each finding, and never less than 0. Several findings of one code, such
 * as three cookies without Secure, take their points off once. What could not be measured takes nothing off. Pure.
 */
export function scoreOf(findings: readonly Pick<ScanFinding, 'code' | 'severity'>[]): number {
  const worst = new Map<string, number>();
  for (const { code, severity } of findings) worst.set(code, Math.max(worst.get(code) ?? 0, POINTS_OFF[severity]));
  const off = [...worst.values()].reduce((sum, points) => sum + points, 0);
  return Math.max(0, 100 - off);
}
