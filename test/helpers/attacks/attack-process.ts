import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgent } from './agent.js';
import type { AttackPlan, Counts, StartAttack, Tally } from './attack.js';
import { startBodies } from './bodies.js';
import { startProbe } from './probe.js';
import { startStrangers } from './strangers.js';
import { startYaml } from './yaml.js';

/**
 * Runs all attacks at the same time, until its parent sends a message. Its counts go to the parent after every round.
 *
 * The machine has other things to do: real attackers have machines of their own. So this process has the lowest
 * priority and pauses after every round, which leaves the processor to the product.
 */
const LOWEST_PRIORITY = 19;
const PAUSE_MS = 500;

const ATTACKS: Record<string, StartAttack> = {
  bodies: startBodies,
  agent: startAgent,
  yaml: startYaml,
  probe: startProbe,
  strangers: startStrangers,
};

setPriority(LOWEST_PRIORITY);
const counts: Counts = {};
const tally: Tally = {
  add(what, count = 1) {
    counts[what] = (counts[what] ?? 0) + count;
  },
  largest(what, value) {
    counts[what] = Math.max(counts[what] ?? 0, value);
  },
};
const [plan] = (await once(process, 'message')) as [AttackPlan];
let stopped = false;
process.once('message', () => {
  stopped = true;
});
// A test that was killed must not leave its attacker behind.
process.once('disconnect', () => process.exit(1));

async function repeat(name: string, start: StartAttack): Promise<void> {
  const attack = await start(plan, tally);
  while (!stopped) {
    await attack.round().catch((error: Error) => tally.add(`${name} failed: ${error.message}`));
    tally.add(`${name} rounds`);
    process.send?.(counts);
    await sleep(PAUSE_MS);
  }
  attack.end();
}

await Promise.all(Object.entries(ATTACKS).map(([name, start]) => repeat(name, start)));
process.send?.(counts, () => process.exit(0));
