import type { Clock } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Logger } from '../../kernel/logger.js';
import type { AuditLog } from '../audit/audit.js';
import type { OutageIncidents } from '../incidents/incidents.js';
import type { LocationDirectory, ProbeCommands } from '../nodes/nodes.js';
import type { ChannelIds } from '../notifications/notifications.js';
import type { References } from '../references/references.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { MonitorChanges } from './directory/changes-store.js';
import type { MonitorDirectory } from './monitors.js';
import type { MonitorSecrets } from './secrets/secrets.js';
import type { MonitorStore } from './store.js';
import type { UptimeOf } from './totals/view.js';
import type { ViewNeeds } from './view.js';

/** Dependencies of the operations of this slice. */
export interface MonitorNeeds {
  store: MonitorStore;
  secrets: MonitorSecrets;
  changes: MonitorChanges;
  directory: MonitorDirectory;
  probes: ProbeCommands;
  locations: LocationDirectory;
  uptimeAtRead: ViewNeeds['uptimeAtRead'];
  uptimeOf: UptimeOf;
  incidents: Pick<OutageIncidents, 'unresolvedOf' | 'resolveKnown'>;
  channels: ChannelIds;
  references: References;
  audit: AuditLog;
  ids: Ids;
  /** For reads that are recorded. */
  runTransaction: RunTransaction;
  clock: Clock;
  guard: TargetGuard;
  logger: Logger;
}
