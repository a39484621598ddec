import { lookup } from 'node:dns';
import { createGuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import { systemActor } from '../actor.js';
import { forwardingSlice, HEARTBEAT_MS, SETTLE_MS } from '../audit/forward/open.js';
import { auditSlice } from '../audit/open.js';
import { billingSlice } from '../billing/open.js';
import { dependenciesSlice } from '../dependencies/open.js';
import type { Foundation } from '../foundation.js';
import { incidentRecordsSlice, incidentsSlice } from '../incidents/open.js';
import { incidentView } from '../incidents/view.js';
import { installSlice } from '../install/open.js';
import { maintenanceRecordsSlice } from '../maintenance/open.js';
import { monitorTransferSlice } from '../monitor-transfer/open.js';
import { monitorRecordsSlice, monitorsSlice } from '../monitors/open.js';
import { nodesSlice } from '../nodes/open.js';
import { createNotificationMetrics } from '../notifications/metrics.js';
import { notificationsSlice } from '../notifications/open.js';
import { createActionLink } from '../on-call/action-link.js';
import { onCallSlice } from '../on-call/open.js';
import { recipientPagesSlice } from '../recipient-pages/open.js';
import { recipientsSlice } from '../recipients/open.js';
import { createUptimeAtRead } from '../results/uptime/at-read.js';
import { requiredDownVotes } from '../results/uptime/quorum.js';
import { uptimeWindow } from '../results/uptime/uptime.js';
import { serverRecordsSlice } from '../servers/open.js';
import { timelineSlice } from '../timeline/open.js';
import { verdictRecordsSlice } from '../verdicts/open.js';
import { referencesOf, withRequestDeadline } from './base.js';
import { peopleSlices } from './people.js';

/** What people watch, with the probes and the notifications. */
export function monitoringSlices() {
  return peopleSlices()
    .add(auditSlice, (from) => ({ ...from, actions: from.declared.auditActions, plans: from.standings.retention }))
    .add(forwardingSlice, (from) => ({
      ...from,
      ...{ plans: from.workspaces, box: from.secretBox, publicUrl: from.config.publicUrl },
      ...{ lookup, settleMs: SETTLE_MS, heartbeatMs: HEARTBEAT_MS },
    }))
    .add(billingSlice, (from) => ({
      ...{ ...withRequestDeadline(from), quotas: from.quotas, mailer: from.mail.mailer },
      ...{ stripe: from.config.stripe, publicUrl: from.config.publicUrl },
    }))
    .add(monitorRecordsSlice, (from) => ({
      ...{ ...from, plans: from.standings.retention, terms: from.standings },
      box: from.secretBox,
    }))
    .add(installSlice, ({ config, version, logger }) => ({ publicUrl: config.publicUrl, version, logger }))
    .add(nodesSlice, (from) => ({
      ...{ ...from, ...from.config, source: from.monitorRecords.directory },
      installCommand: (token) => from.install.command('probe.sh', token),
      ...{ operatorsWorkspace: from.operators.workspaceId, isOperator: from.operators.includes },
    }))
    .add(verdictRecordsSlice, ({ db }) => ({ db }))
    .add(timelineSlice, (from) => from)
    .add(maintenanceRecordsSlice, ({ db, clock, logger }) => ({ db, clock, logger }))
    .add(incidentRecordsSlice, ({ db, declared }) => ({ db, incidentKinds: declared.incidentKinds }))
    .add(recipientsSlice, (from) => ({
      ...{ ...withRequestDeadline(from), ...from.config, box: from.secretBox, mailer: from.mail.mailer },
      operatorsWorkspace: from.operators.workspaceId,
    }))
    .add(notificationsSlice, (from) => ({
      ...{ ...from, ...from.config, incidents: from.incidentRecords, kinds: from.incidentRecords.kinds },
      ...{ box: from.secretBox, metrics: createNotificationMetrics(from.registry) },
      recipients: from.recipients.people,
      fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }),
      systemActor: (workspaceId) => systemActorOf(from, workspaceId),
      references: referencesOf(from),
      actionLink: createActionLink(from.secretBox, from.config.publicUrl),
      sources: {
        monitors: from.monitorRecords.summaries,
        locationName: from.nodes.locations.name,
        renderIncident: (incident, sent) => ({ ...incidentView(from.incidentRecords.kinds, incident, sent) }),
      },
    }))
    .add(serverRecordsSlice, ({ db, refusedRecords }) => ({ db, setAside: refusedRecords.setAside }))
    .add(dependenciesSlice, (from) => ({
      ...from,
      ...{ parentReads: from.monitorRecords.store.parents, monitorNames: from.monitorRecords.store.namedWithTags },
      ...{ countMonitors: from.monitorRecords.store.countAmong, countServers: from.serverRecords.store.countAmong },
      ...{ serverNames: from.serverRecords.store.findMany, maintenance: from.maintenanceRecords },
      commands: from.nodes.commands,
      requiredDownVotes,
      ...{ incidents: from.incidentRecords.store.began, monitorTargets: from.monitorRecords.store.findNames },
    }))
    .add(incidentsSlice, (from) => ({
      ...{ ...from, records: from.incidentRecords, resolvedManually: from.verdictRecords.resolvedManually },
      ...{ notifier: from.notifications, notifications: from.notifications.records },
      maintenance: from.maintenanceRecords,
      tagged: { monitor: from.monitorRecords.store.tagsOf, server: from.serverRecords.store.findMany },
    }))
    .add(onCallSlice, (from) => ({
      ...{ ...withRequestDeadline(from), box: from.secretBox, publicUrl: from.config.publicUrl },
      ...{ incident: from.incidentRecords.store.find, kinds: from.incidentRecords.kinds },
      ...{ incidents: from.incidents.manual, channels: from.notifications.channelHeads },
      recipients: from.recipients.people,
      ...{ monitors: from.monitorRecords.summaries, locationName: from.nodes.locations.name },
    }))
    .add(recipientPagesSlice, (from) => ({
      ...{ ...from, links: from.recipients.links, publicUrl: from.config.publicUrl },
    }))
    .add(monitorsSlice, (from) => ({
      ...from,
      ...{ records: from.monitorRecords, probes: from.nodes.commands, locations: from.nodes.locations },
      ...{ channels: from.notifications.channelIds, uptimeOf: uptimeWindow },
      uptimeAtRead: createUptimeAtRead(from.maintenanceRecords),
      references: referencesOf(from),
      runTransaction: from.runRequestTransaction,
    }))
    .add(monitorTransferSlice, (from) => ({
      ...{ monitors: from.monitors.bulk, audit: from.audit, clock: from.clock },
      runTransaction: from.runRequestTransaction,
    }));
}

/** Returns Picket itself as an actor in the workspace. */
export async function systemActorOf({ workspaces, ids }: Pick<Foundation, 'workspaces' | 'ids'>, workspaceId: string) {
  const workspace = await workspaces.find(workspaceId);
  if (workspace === null) throw new Error(`the workspace ${workspaceId} does not exist any more`);
  return systemActor(workspace, ids.next('evt'));
}
