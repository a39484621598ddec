import type { Registry } from 'prom-client';
import { createGuardedFetch } from '../kernel/guarded-fetch.js';
import { systemActor } from './actor.js';
import type { Config } from './config.js';
import type { Foundation } from './foundation.js';
import type { Route } from './http/route.js';
import type { OutageIncidents, OutageMute, PlatformAlerts, RuleIncidents } from './incidents/incidents.js';
import { createPlatformAlerts } from './incidents/platform-alerts.js';
import { incidentRoutes } from './incidents/routes.js';
import { createIncidents, type IncidentContext } from './incidents/service.js';
import { createIncidentStore, type IncidentStore } from './incidents/store.js';
import { incidentView } from './incidents/view.js';
import type { LocationDirectory } from './nodes/nodes.js';
import { createNotificationMetrics } from './notifications/metrics.js';
import type { MessageSources, Notifications } from './notifications/notifications.js';
import { createNotifications, type NotificationsSlice } from './notifications/open.js';
import { createAuditTimeline } from './timeline/audit-source.js';
import { createTimelineStore, type TimelineStore } from './timeline/store.js';
import { createDetectionDelay, type DetectionDelay } from './verdicts/detection-delay.js';

/** Incidents and notifications, put together. */
export interface AlertParts extends Pick<NotificationsSlice, 'channelIds'> {
  incidents: OutageIncidents & RuleIncidents;
  store: IncidentStore;
  timeline: TimelineStore;
  detectionDelay: DetectionDelay['delay'];
  /** Incidents of Picket itself. */
  platformAlerts(locations: LocationDirectory): PlatformAlerts;
  routes(mute: OutageMute): Route[];
  jobs: { start(): void; stop(): Promise<void> }[];
  ensureIndexes(): Promise<void>;
}

/** `names` are those of what notifications speak of; they are asked for only when one is sent. */
export function openAlertParts(given: {
  config: Config;
  version: string;
  foundation: Foundation;
  registry: Registry;
  names: Pick<MessageSources, 'monitors' | 'locationName'>;
}): AlertParts {
  const { foundation } = given;
  const { mongo, clock, ids, accounts } = foundation;
  const timeline = createTimelineStore(mongo.db, ids);
  const store = createIncidentStore(mongo.db);
  // Incidents tell notifications what happened, and notifications read incidents before they tell others.
  let slice: NotificationsSlice | null = null;
  const notifications: Notifications = {
    enqueue(tx, changed, event) {
      if (slice === null) throw new Error('notifications are used before they are built');
      return slice.enqueue(tx, changed, event);
    },
  };
  const context: IncidentContext = { clock, ids, store, notifications, timeline };
  const incidents = createIncidents(context);
  const told = openNotifications({ ...given, incidents });
  slice = told;
  const detectionDelay = createDetectionDelay({ ...foundation, store });
  return {
    ...{ incidents, store, timeline },
    channelIds: told.channelIds,
    detectionDelay: detectionDelay.delay,
    platformAlerts: (locations) =>
      createPlatformAlerts({
        ...context,
        locations,
        operatorsWorkspace: async () => (await accounts.operators())?.id ?? null,
      }),
    routes: (mute) => [
      ...incidentRoutes({
        ...foundation,
        ...context,
        mute,
        told: told.records,
        timelineSources: [timeline, createAuditTimeline(foundation.auditStore)],
      }),
      ...told.routes,
    ],
    jobs: [told, detectionDelay],
    async ensureIndexes() {
      await Promise.all([timeline.ensureIndexes(), store.ensureIndexes(), told.ensureIndexes()]);
    },
  };
}

function openNotifications(
  given: Parameters<typeof openAlertParts>[0] & { incidents: ReturnType<typeof createIncidents> },
): NotificationsSlice {
  const { config, foundation, incidents, names, version, registry } = given;
  const { publicUrl, smtpUrl, mailFrom } = config;
  return createNotifications({
    ...foundation,
    ...{ incidents, publicUrl, smtpUrl, mailFrom, version },
    db: foundation.mongo.db,
    box: foundation.secretBox,
    sources: { ...names, renderIncident: (incident, told) => ({ ...incidentView(incident, told) }) },
    systemActor: (workspaceId) => systemActorOf(foundation, workspaceId),
    metrics: createNotificationMetrics(registry),
    fetch: createGuardedFetch({ guard: foundation.guard, clock: foundation.clock }),
  });
}

async function systemActorOf({ accounts, ids }: Foundation, workspaceId: string) {
  const workspace = await accounts.find(workspaceId);
  if (workspace === null) throw new Error(`workspace ${workspaceId} is gone`);
  return systemActor(workspace, ids.next('evt'));
}
