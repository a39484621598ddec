import { isoOrNull, toIso } from '../../kernel/clock.js';
import type { ScanDocument } from './documents.js';
import type { SEVERITIES } from './judge/finding.js';
import { POINTS_OFF } from './judge/score.js';
import type { Scan, ScanWithFindings } from './schema.js';

/** Returns a scan as lists show it. */
export function scanView(scan: ScanDocument): Scan {
  const count = (severity: (typeof SEVERITIES)[number]) =>
    scan.findings.filter((finding) => finding.severity === severity).length;
  return {
    id: scan._id,
    monitor_id: scan.monitor_id,
    target: scan.target,
    status: scan.status,
    score: scan.score,
    counts: {
      critical: count('critical'),
      high: count('high'),
      medium: count('medium'),
      low: count('low'),
      info: count('info'),
      passed: count('passed'),
      unknown: count('unknown'),
    },
    error: scan.failure,
    location: scan.location,
    proof: scan.proof,
    created_at: toIso(scan.created_at_ms),
    started_at: isoOrNull(scan.started_at_ms),
    completed_at: isoOrNull(scan.ended_at_ms),
  };
}

export function scanWithFindingsView(scan: ScanDocument): ScanWithFindings {
  const { effort } = scan;
  return {
    ...scanView(scan),
    findings: scan.findings.map((finding) => ({ ...finding, points: POINTS_OFF[finding.severity] })),
    address: effort?.address ?? null,
    connections: effort?.connections ?? null,
    duration_ms: effort?.duration_ms ?? null,
  };
}
