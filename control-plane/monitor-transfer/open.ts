import type { OpenedSlice, Slice } from '../slice.js';
import type { TransferNeeds } from './needs.js';
import { createTransferRoutes } from './routes.js';

/** Import and export of monitors. */
export const monitorTransferSlice: Slice<'monitorTransfer', TransferNeeds, OpenedSlice> = {
  name: 'monitorTransfer',
  auditActions: ['monitor.secrets_exported'],
  open: (needs) => ({ routes: createTransferRoutes(needs) }),
};
