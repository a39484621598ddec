import { testDatabase } from '../../test/helpers/database.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { startProduct } from '../../test/helpers/processes/product.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { cpuSeconds, rssMib } from '../fixtures/processes.js';
import { referenceLoopMs } from './reference-loop.js';

/** Measures starts: of a control plane with an empty database, and of everything that scripts/start runs, twice with one folder. */
const STARTS = 5;

const seconds: number[] = [];
const memory: number[] = [];
for (let n = 0; n < STARTS; n += 1) {
  const mongo = await testDatabase();
  const controlPlane = await startControlPlane(mongo.uri);
  seconds.push(await cpuSeconds(controlPlane.pid));
  memory.push(await rssMib(controlPlane.pid));
  await controlPlane.remove();
  await mongo.drop();
}
printFigure({
  name: 'start: CPU time of a control plane until it is ready',
  ...{ value: percentile(seconds, 0.5), unit: 's', limit: 2.5, atMost: true },
  memory_mib: round(percentile(memory, 0.5), 0),
  reference_loop_ms: round(referenceLoopMs()),
});

const product = await startProduct();
try {
  await product.stop();
  const startedMs = performance.now();
  await product.restart();
  printFigure({
    name: 'start: database, control plane and five probes, until all are ready',
    ...{ value: (performance.now() - startedMs) / 1_000, unit: 's', limit: 7, atMost: true },
    reference_loop_ms: round(referenceLoopMs()),
  });
} finally {
  await product.remove();
}
