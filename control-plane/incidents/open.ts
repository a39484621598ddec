import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { AuditLog } from '../audit/audit.js';
import type { Dependencies } from '../dependencies/dependencies.js';
import type { Pager } from '../http/paging.js';
import type { Maintenance } from '../maintenance/maintenance.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import { channelReferences } from './channels/references.js';
import { commentRoutes } from './comments/routes.js';
import { createCommentStore } from './comments/store.js';
import type {
  IncidentRecords,
  ManualChanges,
  NotificationRecords,
  Notifier,
  OutageIncidents,
  RuleIncidents,
} from './incidents.js';
import { createIncidentKinds, type IncidentKind, type IncidentKinds } from './kind.js';
import { acknowledgeIncident, type ManualNeeds } from './manual.js';
import { incidentRoutes } from './routes.js';
import { createIncidents } from './service.js';
import { createSilenceEnd } from './silence/end-job.js';
import { createMaintenanceEnd } from './silence/maintenance-end-job.js';
import { createParentsTask } from './silence/parents-job.js';
import { silenceIncident } from './silence/silence.js';
import { createTagsNow, type TaggedResources } from './silence/tags-now.js';
import { createIncidentStore, type IncidentStore } from './store.js';

/** The stored incidents, and their kinds. */
export interface IncidentRecordsSlice extends OpenedSlice, IncidentRecords {
  store: IncidentStore;
  kinds: IncidentKinds;
}

interface IncidentRecordsNeeds {
  db: Db;
  /** Of all slices. */
  incidentKinds: readonly IncidentKind[];
}

export const incidentRecordsSlice: Slice<'incidentRecords', IncidentRecordsNeeds, IncidentRecordsSlice> = {
  name: 'incidentRecords',
  idPrefixes: ['inc'],
  open({ db, incidentKinds }) {
    const ruleKinds = incidentKinds.filter(({ byAlertRules }) => byAlertRules).map(({ kind }) => kind);
    const store = createIncidentStore(db, ruleKinds);
    return {
      store,
      kinds: createIncidentKinds(incidentKinds),
      heads: store.heads,
      loadMany: (incidents) => store.findMany(incidents),
      ensureIndexes: store.ensureIndexes,
    };
  },
};

interface IncidentsNeeds {
  db: Db;
  records: IncidentRecordsSlice;
  notifier: Notifier;
  notifications: NotificationRecords;
  timeline: Timeline;
  maintenance: Maintenance;
  dependencies: Dependencies;
  /** What maintenance windows find by tags. */
  tagged: TaggedResources;
  resolvedManually: ManualNeeds['resolvedManually'];
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  runTransaction: RunTransaction;
  logger: Logger;
}

/** The incidents slice as other slices use it. */
export interface OpenIncidents extends OpenedSlice, OutageIncidents, RuleIncidents {
  manual: ManualChanges;
}

/** Incidents: opened and resolved by other slices, acknowledged, resolved and silenced by people. */
export const incidentsSlice: Slice<'incidents', IncidentsNeeds, OpenIncidents> = {
  name: 'incidents',
  idPrefixes: ['cmt'],
  scopes: ['alerts:read', 'alerts:write'],
  auditActions: ['alert.acknowledged', 'alert.commented', 'alert.resolved', 'alert.silenced', 'alert.unsilenced'],
  open({ db, records, tagged, ...rest }) {
    const comments = createCommentStore(db);
    const needs = { comments, ...rest, store: records.store, kinds: records.kinds, tagsNow: createTagsNow(tagged) };
    const manual: ManualChanges = {
      acknowledge: (tx, actor, id) => acknowledgeIncident(needs, tx, actor, id),
      silence: (tx, actor, input) => silenceIncident(needs, tx, actor, input),
    };
    return {
      ...createIncidents(needs),
      manual,
      routes: [...incidentRoutes(needs), ...commentRoutes(needs)],
      jobs: [createSilenceEnd(needs), createMaintenanceEnd(needs), createParentsTask(needs)],
      referenceHolders: [channelReferences(needs)],
      ensureIndexes: comments.ensureIndexes,
    };
  },
};
