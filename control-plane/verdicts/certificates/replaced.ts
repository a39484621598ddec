import type { CertificateState, SeenCertificate, SeenCertificates } from '../../monitors/documents.js';
import { DAY_MS } from './rule.js';

/** A certificate that returns this soon after its replacement is that of another server behind the same name. */
const ALTERNATING_MS = 3_600_000;

/** More servers behind one name than this, each with a certificate of its own, leave a line now and then. */
const EARLIER_MAX = 8;

/** A server that presents a new certificate on each connection must not fill the timeline. */
const LINES_PER_DAY_MAX = 20;

export type ReplacementStep =
  | { do: 'nothing' }
  /** Stores `seen` only: the first certificate of a target, or several servers that take turns. */
  | { do: 'note'; seen: SeenCertificates }
  /** Stores `seen` and leaves a line on the timeline: `from` was replaced. */
  | { do: 'record'; seen: SeenCertificates; from: SeenCertificate };

/** Returns what to do when a monitor presents `certificate`, given what it presented before. Pure. */
export function replacementStep(
  seen: SeenCertificates | null,
  { fingerprint, issuer, not_after_ms }: CertificateState,
  nowMs: number,
): ReplacementStep {
  const current = { fingerprint, issuer, not_after_ms };
  if (seen === null) return { do: 'note', seen: { current, earlier: [], lines: { since_ms: nowMs, count: 0 } } };
  const { current: from, earlier } = seen;
  if (from.fingerprint === fingerprint) return { do: 'nothing' };
  const isAlternating = earlier.some((one) => one.fingerprint === fingerprint && nowMs - one.until_ms < ALTERNATING_MS);
  const others = earlier.filter((one) => one.fingerprint !== fingerprint && one.fingerprint !== from.fingerprint);
  const next = {
    current,
    earlier: [{ fingerprint: from.fingerprint, until_ms: nowMs }, ...others].slice(0, EARLIER_MAX),
  };
  const lines = nowMs - seen.lines.since_ms >= DAY_MS ? { since_ms: nowMs, count: 0 } : seen.lines;
  if (isAlternating || lines.count >= LINES_PER_DAY_MAX) return { do: 'note', seen: { ...next, lines } };
  return { do: 'record', seen: { ...next, lines: { ...lines, count: lines.count + 1 } }, from };
}
