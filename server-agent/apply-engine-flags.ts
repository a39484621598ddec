import { setFlagsFromString } from 'node:v8';
import { ENGINE_FLAGS } from './engine-flags.js';

// This is the first module of the program, so that V8 compiles all others with these flags.
for (const flag of ENGINE_FLAGS) setFlagsFromString(flag);
