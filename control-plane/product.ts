import { createGuardedDownload } from '../kernel/guard/guarded-download.js';
import { createGuardedFetch } from '../kernel/guard/guarded-fetch.js';
import { createReadBackups } from './backup-jobs/report-facts.js';
import { createReadReputation } from './blacklist/reputation.js';
import { clientReportsSlice } from './client-reports/open.js';
import { dashboardSlice } from './dashboard/open.js';
import { createReadDomains } from './domain-expiry/report-facts.js';
import { createReadDeliverability } from './email-domains/deliverability.js';
import { healthSlice } from './health/open.js';
import { liveSlice } from './live/open.js';
import { STREAM_LIMITS } from './live/subscribers.js';
import { maintenanceSlice } from './maintenance/open.js';
import type { MonitorStore } from './monitors/store.js';
import { streamsSlice } from './nodes/streams/open.js';
import { checkSlices } from './product/checks.js';
import { systemActorOf } from './product/monitoring.js';
import { percentUp } from './results/uptime/uptime.js';
import { createReadScans } from './scans/report-facts.js';
import type { ServerStore } from './servers/store.js';
import { statusPagesSlice } from './status-pages/open.js';
import type { Transaction } from './storage/transaction.js';
import { wordpressSlice } from './wordpress/open.js';
import { createReadSites, scoreOfSites } from './wordpress/report-facts.js';

/** The slices of the control plane. Each needs only slices above it. */
export function composeProduct() {
  return checkSlices()
    .add(clientReportsSlice, (from) => ({
      ...{ ...from, percentUp, publicUrl: from.config.publicUrl },
      ...{ recipients: from.recipients.people, mailer: from.mail.mailer, tracked: from.mail.tracked },
      existingMonitors: existingTargets(from).existingMonitors,
      systemActor: (workspaceId) => systemActorOf(from, workspaceId),
      sources: {
        monitors: from.monitorRecords.store.listOldest,
        hours: from.results.hours,
        incidents: from.incidentRecords.store.began,
        reputation: createReadReputation(from.blacklistRecords.store),
        backups: createReadBackups({ ...from.backupRecords, standingOf: from.standingOf }),
        emailDomains: createReadDeliverability(from.emailDomainRecords.store),
        domains: createReadDomains(from.domainRecords.domains),
        sites: createReadSites(from.wordpressRecords),
        scoreOfSites,
        scans: createReadScans(from.scanRecords.store),
      },
    }))
    .add(wordpressSlice, (from) => ({
      ...{ ...from, box: from.secretBox, fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }) },
      records: from.wordpressRecords,
      ...{ listener: from.wordpressRules.listener, ensureDefaultRule: from.wordpressRules.ensureDefaultRule },
      ...{ download: createGuardedDownload(from), feed: from.config.vulnerabilityFeed },
    }))
    .add(maintenanceSlice, (from) => ({
      ...{ ...from, records: from.maintenanceRecords, ...existingTargets(from) },
      publicUrl: from.config.publicUrl,
    }))
    .add(statusPagesSlice, (from) => ({
      ...{ ...from, ...existingTargets(from), percentUp, publicUrl: from.config.publicUrl },
      ...{ dnsServers: from.config.dnsServers, exportDir: from.config.statusExportDir, smtpUrl: from.config.smtpUrl },
      ...{ box: from.secretBox, signedIn: from.trustedHeader.signedIn },
      fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }),
      ...{ recipients: from.recipients.people, mailer: from.mail.mailer, tracked: from.mail.tracked },
      entersWorkspace: from.sessions.entersWorkspace,
      sources: {
        monitors: from.monitorRecords.store.watched,
        servers: from.serverRecords.store.watched,
        hours: from.results.hours,
        incidents: from.incidentRecords.store.ofSubjects,
        planned: from.maintenanceRecords.cache.planned,
        voidVotes: from.verdicts.voidVotes,
        isCovered: (what, atMs) => from.maintenanceRecords.covering(what, atMs) !== null,
        isStopped: async (workspaceId) => (await from.standingOf(workspaceId))?.stopped ?? true,
      },
    }))
    .add(liveSlice, (from) => ({
      ...from,
      entries: { timeline: from.timeline.entriesById, audit: from.auditStore.entriesById },
      limits: STREAM_LIMITS,
    }))
    .add(streamsSlice, (from) => ({
      ...{ nodes: from.nodes, handler: from.results.recordResults, agents: from.servers.agentOwner },
    }))
    .add(healthSlice, (from) => ({
      ...from,
      ...{ backlogs: from.backlogs, eventStreams: from.live.openStreams, nodeStreams: from.nodes.openStreams },
      clockOffsetMs: from.clock.offsetMs,
    }))
    .add(dashboardSlice, ({ config, version, logger }) => ({
      ...{ publicUrl: config.publicUrl, signUpOpen: config.signUpOpen, sendsEmail: config.smtpUrl !== null },
      ...{ version, logger },
      signedInByProxy: config.trustedHeader !== null,
    }));
}

/** Returns what finds out which monitors and servers a workspace has, for what names them. */
function existingTargets(from: {
  monitorRecords: { store: Pick<MonitorStore, 'versionsOf'> };
  serverRecords: { store: Pick<ServerStore, 'findMany'> };
}) {
  return {
    existingMonitors: async (tx: Transaction, workspaceId: string, ids: readonly string[]) =>
      new Set((await from.monitorRecords.store.versionsOf(tx, workspaceId, ids)).keys()),
    existingServers: async (tx: Transaction, workspaceId: string, ids: readonly string[]) =>
      new Set((await from.serverRecords.store.findMany(workspaceId, ids, tx)).map(({ _id }) => _id)),
  };
}
