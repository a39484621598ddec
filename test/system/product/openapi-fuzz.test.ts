import { fileURLToPath } from 'node:url';
import t from 'tap';
import { fuzzApi } from '../../helpers/openapi-fuzz/fuzz.js';

/** A minute of random requests. scripts/faults has those for the boundaries of each schema and for chains of operations. */
await fuzzApi(t, fileURLToPath(import.meta.url), {
  phases: 'fuzzing',
  examplesMax: 3,
  requestsMin: 500,
  reachesAll: false,
});
