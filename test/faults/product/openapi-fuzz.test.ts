import { fileURLToPath } from 'node:url';
import t from 'tap';
import { fuzzApi } from '../../helpers/openapi-fuzz/fuzz.js';

await fuzzApi(t, fileURLToPath(import.meta.url), {
  phases: 'examples,coverage,fuzzing,stateful',
  examplesMax: 3,
  requestsMin: 2_000,
  reachesAll: true,
});
