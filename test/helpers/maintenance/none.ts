import type { Maintenance } from '../../../control-plane/maintenance/maintenance.js';

export const NO_MAINTENANCE: Maintenance = { covering: () => null, refresh: async () => {} };
