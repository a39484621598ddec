import type { OpeningNeeds } from '../../../control-plane/incidents/needs.js';

/** What opens incidents where nothing depends on anything. */
export const NO_DEPENDENCIES: Pick<OpeningNeeds, 'dependencies' | 'tagsNow'> = {
  dependencies: {
    began: async (_tx, things) => things.map(() => ({ hold: null, dependents: 0 })),
    holds: async (things) => things.map(() => null),
    dependentsOf: async () => new Map(),
  },
  tagsNow: async () => () => [],
};
