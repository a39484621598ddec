import type { MetricSampleCodec } from '../../../proto/load.js';
import { parseSample } from './message.js';
import type { StoredSample } from './store.js';

/** The values of one sample, by series name. */
export interface Sample {
  atMs: number;
  values: ReadonlyMap<string, number>;
}

/** Decodes a stored sample. Returns null for invalid bytes, which `record.ts` never stores. */
export type SampleDecoder = (stored: StoredSample) => Sample | null;

export function createSampleDecoder(codec: Pick<MetricSampleCodec, 'decode'>): SampleDecoder {
  return ({ atMs, bytes }) => {
    try {
      return { atMs, values: parseSample(codec.decode(bytes)).values };
    } catch {
      // Callers continue without this sample, and count it if that matters to them.
      return null;
    }
  };
}
