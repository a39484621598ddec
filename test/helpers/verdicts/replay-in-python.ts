import { spawnSync } from 'node:child_process';

const SCRIPT = 'docs/replay-decision.py';
const OUTPUT_BYTES_MAX = 1 << 28;

/** What the API shows of an incident's decisions. */
export interface ShownDecisions {
  decision: unknown;
  recovery: unknown;
}

/**
 * Replays decision records as the API shows them with `docs/replay-decision.py`. Returns the number of records. Throws
 * if one of them has another outcome.
 */
export function replayInPython(alerts: readonly ShownDecisions[]): number {
  const input = alerts.map((data) => `${JSON.stringify({ data })}\n`).join('');
  const { status, stdout, stderr } = spawnSync('python3', [SCRIPT], {
    ...{ input, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX },
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (status === 0) return lines.length;
  const differing = lines.find((line) => !/^recorded (\w+), replayed \1:/.test(line));
  throw new Error(`the record does not replay: ${differing ?? stderr}`);
}
