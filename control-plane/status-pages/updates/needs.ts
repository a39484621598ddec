import type { StatusPageNeeds } from '../needs.js';

/** What the operations on incidents of status pages need. */
export type PageIncidentNeeds = Pick<StatusPageNeeds, 'store' | 'incidents' | 'changes' | 'audit' | 'ids' | 'clock'>;
