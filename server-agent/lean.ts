import { setFlagsFromString } from 'node:v8';
import { ENGINE_FLAGS } from './node-flags.js';

// The first module of the program, so that all others are compiled under these. See `node-flags.ts`.
for (const flag of ENGINE_FLAGS) setFlagsFromString(flag);
