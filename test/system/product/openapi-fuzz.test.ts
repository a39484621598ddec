import { fileURLToPath } from 'node:url';
import t from 'tap';
import { fuzzApi } from '../../helpers/openapi-fuzz/fuzz.js';

/** One or two random requests to each operation. scripts/faults has those for the boundaries of each schema and for chains of operations. */
await fuzzApi(t, fileURLToPath(import.meta.url), {
  phases: 'fuzzing',
  examplesMax: 1,
  requestsMin: 300,
  reachesAll: false,
});
