import type { ScanDocument } from './documents.js';
import type { FindingSeverity } from './judge/finding.js';
import type { ScanStore } from './store.js';

/** What to do first, in a report. */
const FIRST_MAX = 2;

/** The last completed scan of a website in a period, for reports. */
interface ScanFacts {
  /** The origin: `https://shop.example/`. */
  target: string;
  score: number;
  /** When the scan was completed. */
  scannedMs: number;
  critical: number;
  high: number;
  medium: number;
  low: number;
  /** What could not be measured. */
  unknown: number;
  /** The worst findings as sentences, at most two; none that are only info. */
  first: string[];
}

/** Returns the function that reads the last completed scan of each website of a workspace in a period, at most `rowsMax`. */
export function createReadScans({ lastCompleted }: Pick<ScanStore, 'lastCompleted'>) {
  return async (workspaceId: string, period: { fromMs: number; toMs: number }, rowsMax: number): Promise<ScanFacts[]> =>
    (await lastCompleted(workspaceId, period.fromMs, period.toMs, rowsMax)).map(factsOf);
}

function factsOf({ target, score, ended_at_ms, findings }: ScanDocument): ScanFacts {
  const count = (severity: FindingSeverity) => findings.filter((finding) => finding.severity === severity).length;
  return {
    target,
    score: score ?? 0,
    scannedMs: ended_at_ms ?? 0,
    critical: count('critical'),
    high: count('high'),
    medium: count('medium'),
    low: count('low'),
    unknown: count('unknown'),
    first: findings
      .filter(({ severity }) => ['critical', 'high', 'medium', 'low'].includes(severity))
      .slice(0, FIRST_MAX)
      .map(({ message }) => message),
  };
}
