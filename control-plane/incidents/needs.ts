import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { Maintenance } from '../maintenance/maintenance.js';
import type { Ids } from '../storage/ids.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Notifier } from './incidents.js';
import type { IncidentStore } from './store.js';

/** What every change of an incident needs. */
export interface IncidentNeeds {
  clock: Clock;
  ids: Ids;
  store: IncidentStore;
  notifier: Notifier;
  timeline: Timeline;
  audit: AuditLog;
}

/** What opening incidents, and letting them fire again, needs. */
export interface OpeningNeeds extends IncidentNeeds {
  maintenance: Maintenance;
}
