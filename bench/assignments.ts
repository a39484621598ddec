// Measures for how long the distribution of the monitors of one location to its probes keeps the event loop from other
// work. Prints lines of JSON: one for probes that connect at the same time, one for a probe that leaves.
import { createAssignmentFeeds } from '../control-plane/nodes/probes/assignments/assignments.js';
import type { AssignmentReceiver } from '../control-plane/nodes/probes/assignments/feed.js';
import { systemClock } from '../kernel/clock.js';
import { systemRandom } from '../kernel/random.js';
import { loadNodeLink } from '../proto/load.js';
import { directoryOf } from '../test/helpers/monitors/directory-of.js';
import { percentile, printFigure, round } from './fixtures/figures.js';
import { benchSetting } from './fixtures/settings.js';

const MONITORS = benchSetting('MONITORS', 20_000);
const PROBES = benchSetting('PROBES', 4);
const RUNS = benchSetting('RUNS', 20);
const BLOCK_MS_MAX = 20;

const source = await directoryOf(MONITORS);
const { responseSerialize } = loadNodeLink().service.Connect;
const nodeIds = Array.from({ length: PROBES }, (_, index) => `prb_01jgq6v3k8f00000000000000${index}`);
let members: readonly string[] = [];
const held = new Map<string, number>();
const feeds = createAssignmentFeeds({
  source,
  members: () => members,
  shares: { open: () => {}, change: () => {}, forget: () => {} },
  clock: systemClock,
  random: systemRandom,
});

/** Opens the stream of a probe. It encodes each message, as a real one does. */
function open(nodeId: string): AssignmentReceiver {
  held.set(nodeId, 0);
  const receiver: AssignmentReceiver = {
    node: { nodeId, kind: 'probe', location: 'fra' },
    send(assignments) {
      responseSerialize({ assignments });
      const { put = [], remove = [] } = assignments;
      held.set(nodeId, (held.get(nodeId) ?? 0) + put.length - remove.length);
    },
    backlog: () => 0,
  };
  feeds.open(receiver, 0);
  return receiver;
}

/** Whether the members have all monitors, and no other probe has one. */
function isComplete(): boolean {
  const own = members.reduce((sum, nodeId) => sum + (held.get(nodeId) ?? 0), 0);
  return own === MONITORS && [...held.values()].reduce((sum, count) => sum + count, 0) === MONITORS;
}

/** The longest time that the event loop did nothing else, and the whole time until the distribution was complete. */
interface Run {
  blockMs: number;
  wholeMs: number;
}

async function measure(work: () => void): Promise<Run> {
  const startedMs = performance.now();
  let [blockMs, lastMs] = [0, startedMs];
  work();
  while (!isComplete()) {
    await new Promise((resolve) => setImmediate(resolve));
    blockMs = Math.max(blockMs, performance.now() - lastMs);
    lastMs = performance.now();
  }
  return { blockMs, wholeMs: performance.now() - startedMs };
}

const connects: Run[] = [];
const leaves: Run[] = [];
for (let run = 0; run < RUNS; run++) {
  let receivers: AssignmentReceiver[] = [];
  members = nodeIds;
  connects.push(
    await measure(() => {
      receivers = nodeIds.map(open);
    }),
  );
  members = nodeIds.slice(1);
  leaves.push(await measure(() => feeds.membersChanged('fra')));
  for (const receiver of receivers) feeds.close(receiver);
  held.clear();
}
feeds.stop();
print(`assignment of ${MONITORS} monitors to ${PROBES} probes that connect, longest block of the event loop`, connects);
print(`assignment of ${MONITORS} monitors when one of ${PROBES} probes is drained, longest block`, leaves);

/** On a machine with other work, the worst run says how long the process had to wait for a processor. */
function print(name: string, runs: readonly Run[]): void {
  const blocks = runs.map(({ blockMs }) => blockMs);
  const wholes = runs.map(({ wholeMs }) => wholeMs);
  printFigure({
    ...{ name, value: percentile(blocks, 0.5), unit: 'ms', limit: BLOCK_MS_MAX, atMost: true },
    first_ms: round(blocks[0] ?? Number.NaN, 1),
    worst_ms: round(percentile(blocks, 1), 1),
    whole_p50_ms: round(percentile(wholes, 0.5), 1),
    runs: RUNS,
  });
}
