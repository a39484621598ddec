import type { FindingSeverity } from './judge/finding.js';
import type { ReportedScan, ScanStore } from './store.js';

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
  /** What to do about the worst findings, as at most two sentences; nothing for those that are only info. */
  first: string[];
}

/** Returns the function that reads the last completed scan of each website of a workspace in a period, at most `rowsMax`. */
export function createReadScans({ lastCompleted }: Pick<ScanStore, 'lastCompleted'>) {
  return async (workspaceId: string, period: { fromMs: number; toMs: number }, rowsMax: number): Promise<ScanFacts[]> =>
    (await lastCompleted(workspaceId, period.fromMs, period.toMs, rowsMax)).map(factsOf);
}

function factsOf({ target, score, ended_at_ms, findings }: ReportedScan): ScanFacts {
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
    first: nextSteps(findings).slice(0, FIRST_MAX),
  };
}

/** Two findings can have the same next step, such as those on TLS 1.0 and 1.1. */
function nextSteps(findings: ReportedScan['findings']): string[] {
  const steps = findings
    .filter(({ severity }) => ['critical', 'high', 'medium', 'low'].includes(severity))
    .flatMap(({ next_step }) => (next_step === null ? [] : [next_step]));
  return [...new Set(steps)];
}
