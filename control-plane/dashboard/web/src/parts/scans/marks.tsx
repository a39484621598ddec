import type { Scan, ScanFinding } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from './texts/texts.ts';

const SEVERITIES = {
  critical: 'critical',
  high: 'down',
  medium: 'warning',
  low: 'warning',
  info: 'info',
  passed: 'up',
  unknown: 'unknown',
} as const;

export function SeverityMark({ severity }: { severity: ScanFinding['severity'] }) {
  return <Mark as={SEVERITIES[severity]} word={texts.severities[severity]} quiet={false} />;
}

/** The mark of a scan in a list: by its worst finding, or that it is not done. */
export function ScanMark({ scan }: { scan: Scan }) {
  return <Mark as={shapeOf(scan)} word={texts.statuses[scan.status]} quiet />;
}

function shapeOf({ status, counts }: Scan) {
  if (status !== 'completed') return 'unknown';
  if (counts.critical + counts.high > 0) return 'down';
  return counts.medium > 0 ? 'warning' : 'up';
}
