import type { MetricReportCodec } from '../../../proto/load.js';
import type { Sample } from '../history/series-block.js';
import { readReport } from './sample.js';
import type { StoredReport } from './store.js';

/** What a stored report says; null for bytes that are no report, which cannot come from `record-reports`. */
export type SampleReader = (report: StoredReport) => Sample | null;

export function createSampleReader(codec: Pick<MetricReportCodec, 'decode'>): SampleReader {
  return ({ atMs, report }) => {
    try {
      return { atMs, values: readReport(codec.decode(report)).values };
    } catch {
      // Whoever reads it goes on without it, and counts it where that matters.
      return null;
    }
  };
}

export function readSamples(read: SampleReader, reports: readonly StoredReport[]): Sample[] {
  return reports.map(read).filter((sample) => sample !== null);
}
