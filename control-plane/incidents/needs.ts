import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { Dependencies } from '../dependencies/dependencies.js';
import type { Maintenance } from '../maintenance/maintenance.js';
import type { Ids } from '../storage/ids.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Notifier } from './incidents.js';
import type { TagsNow } from './silence/tags-now.js';
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
  dependencies: Dependencies;
  /** What an incident's resource depends on can follow from its tags, and people change these while it is silent. */
  tagsNow: TagsNow;
}
