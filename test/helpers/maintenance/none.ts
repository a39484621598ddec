import type { Maintenance, UptimeMaintenance } from '../../../control-plane/maintenance/maintenance.js';

export const NO_MAINTENANCE: Maintenance & UptimeMaintenance = {
  covering: () => null,
  leftOut: () => [],
  refresh: async () => {},
};
