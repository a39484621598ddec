import { printFigure, round } from './fixtures/figures.js';
import { auditSealing } from './limits/audit-sealing.js';
import { changeInAnotherBrowser, changeInSevenWindows } from './limits/dashboard.js';
import { hostileBody } from './limits/hostile-bodies.js';
import { hostileYamlFiles, hostileYamlParser } from './limits/hostile-yaml.js';
import { nodesAmongStrangers, requestsAmongStrangers } from './limits/idle-strangers.js';
import type { Limit } from './limits/limit.js';
import { anothersLogInUnderFlood, ownersLogInUnderFlood } from './limits/log-in-flood.js';
import { referenceLoopMs } from './limits/reference-loop.js';
import { agentStops, controlPlaneStops, probeStops } from './limits/stops.js';

/** Measures each promise in milliseconds or MiB that no test can assert, beside a loop whose work is always the same. */
const LIMITS: readonly Limit[] = [
  hostileBody,
  hostileYamlParser,
  hostileYamlFiles,
  auditSealing,
  changeInAnotherBrowser,
  changeInSevenWindows,
  controlPlaneStops,
  probeStops,
  agentStops,
  nodesAmongStrangers,
  requestsAmongStrangers,
  ownersLogInUnderFlood,
  anothersLogInUnderFlood,
];

for (const { name, unit, atMost, measure } of LIMITS) {
  printFigure({
    name: `limits: ${name}`,
    ...{ value: await measure(), unit, limit: atMost, atMost: true },
    reference_loop_ms: round(referenceLoopMs()),
  });
}
