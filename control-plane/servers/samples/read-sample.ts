import type { MetricSampleCodec } from '../../../proto/load.js';
import type { AgentIdentity } from '../../nodes/nodes.js';
import type { AcceptedSample } from '../servers.js';
import { parseSample, sampleMessage } from './message.js';

/** A sample that is older than this when it arrives has waited on the agent's disk. */
export const LATE_MS = 30_000;
/** A sample with a time further in the future gets the time of its arrival. */
const AHEAD_MS_MAX = 300_000;

/** A sample that is about to be stored. */
export interface PendingSample extends AcceptedSample {
  /** The message to store. */
  bytes: Uint8Array;
  /** The number of invalid values that it was sent with. */
  valuesDropped: number;
}

/** Decodes a sample as untrusted input. Returns null for bytes that are not a sample, or one with too many values. */
export function readSample(
  codec: MetricSampleCodec,
  { nodeId: serverId, workspaceId }: AgentIdentity,
  record: Uint8Array,
  receivedAtMs: number,
): PendingSample | null {
  let message: ReturnType<MetricSampleCodec['decode']>;
  try {
    message = codec.decode(record);
  } catch {
    return null;
  }
  if (!Number.isSafeInteger(message.atMs) || message.atMs <= 0) return null;
  const { values, valuesDropped } = parseSample(message);
  const atMs = message.atMs > receivedAtMs + AHEAD_MS_MAX ? receivedAtMs : message.atMs;
  // Always encoded again: the bytes of the agent may contain anything that the decoder ignores.
  const bytes = codec.encode(sampleMessage(atMs, values));
  const sample = { serverId, workspaceId, atMs, receivedAtMs, bytes, valuesDropped };
  return receivedAtMs - atMs > LATE_MS ? lateSample(codec, sample) : { ...sample, late: false, values };
}

/**
 * Returns a late sample, which decodes its values when they are first read. No rule reads them, and they take several
 * times the memory of the message until it is stored, for thousands of samples of each agent that returns.
 */
function lateSample(codec: MetricSampleCodec, sample: Omit<PendingSample, 'late' | 'values'>): PendingSample {
  let values: ReadonlyMap<string, number> | null = null;
  return {
    ...sample,
    late: true,
    get values() {
      values ??= parseSample(codec.decode(sample.bytes)).values;
      return values;
    },
  };
}
