import type { ScanDocument } from '../../../control-plane/scans/documents.js';
import type { FindingSeverity } from '../../../control-plane/scans/judge/finding.js';

/** A completed scan with one finding of each of these severities. */
export function completedScan(
  of: Pick<ScanDocument, '_id' | 'workspace_id' | 'target' | 'ended_at_ms'> & Partial<ScanDocument>,
  severities: readonly FindingSeverity[],
): ScanDocument {
  return {
    monitor_id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n',
    monitor_name: 'Shop',
    host: new URL(of.target).hostname,
    locations: ['fra'],
    status: 'completed',
    attempts: 1,
    node_id: 'prb_1',
    location: 'fra',
    next_at_ms: 0,
    deadline_at_ms: 0,
    proof: 'dns',
    failure: null,
    score: 50,
    findings: severities.map((severity, place) => ({
      code: `finding_${place}`,
      area: 'headers',
      severity,
      message: `The ${severity} thing is wrong.`,
      next_step: severity === 'passed' ? null : `Change the ${severity} thing.`,
      evidence: null,
    })),
    effort: { address: '192.0.2.1', connections: 30, duration_ms: 1_000 },
    created_at_ms: 0,
    started_at_ms: 0,
    expires_at: new Date('2099-01-01'),
    version: 3,
    ...of,
  };
}
