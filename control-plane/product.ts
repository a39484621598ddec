import { lookup } from 'node:dns';
import type { Registry } from 'prom-client';
import { createGuardedFetch } from '../kernel/guard/guarded-fetch.js';
import { createEndAddressAccess, createEndMemberAccess } from './accounts/member-access.js';
import { accountsSlice } from './accounts/open.js';
import { createRequiringWorkspaces } from './accounts/requiring-workspaces.js';
import { accountSchema } from './accounts/schema.js';
import { accountOf } from './accounts/view.js';
import { platformActor, systemActor } from './actor.js';
import { alertRulesSlice } from './alert-rules/open.js';
import { forwardingSlice, HEARTBEAT_MS, SETTLE_MS } from './audit/forward/open.js';
import { auditSlice } from './audit/open.js';
import { billingSlice } from './billing/open.js';
import { createHasRenewingSubscription } from './billing/renewing-subscription.js';
import type { Catalogue } from './blacklist/lists/providers.js';
import { blacklistRecordsSlice, blacklistSlice } from './blacklist/open.js';
import { createReadReputation } from './blacklist/reputation.js';
import { listingRulesSlice } from './blacklist/rules/open.js';
import { clientReportsSlice } from './client-reports/open.js';
import { composition } from './composition.js';
import type { Config } from './config.js';
import { dashboardSlice } from './dashboard/open.js';
import type { Foundation } from './foundation.js';
import { healthSlice } from './health/open.js';
import { authorize } from './http/authenticate.js';
import { incidentRecordsSlice, incidentsSlice } from './incidents/open.js';
import { incidentView } from './incidents/view.js';
import { installSlice } from './install/open.js';
import { liveSlice } from './live/open.js';
import { STREAM_LIMITS } from './live/subscribers.js';
import { mailSlice } from './mail/open.js';
import { maintenanceRecordsSlice, maintenanceSlice } from './maintenance/open.js';
import { monitorBulkSlice } from './monitor-bulk/open.js';
import { monitorTransferSlice } from './monitor-transfer/open.js';
import { monitorRecordsSlice, monitorsSlice } from './monitors/open.js';
import type { MonitorStore } from './monitors/store.js';
import { locationsSlice } from './nodes/locations/open.js';
import { nodesSlice } from './nodes/open.js';
import { streamsSlice } from './nodes/streams/open.js';
import { createDisableAll } from './notifications/channel-settings/disable-all.js';
import { createNotificationMetrics } from './notifications/metrics.js';
import { notificationsSlice } from './notifications/open.js';
import { createActionLink } from './on-call/action-link.js';
import { onCallSlice } from './on-call/open.js';
import { ownAccountSlice } from './own-account/open.js';
import { recipientPagesSlice } from './recipient-pages/open.js';
import { recipientsSlice } from './recipients/open.js';
import { createRecipientQuotas } from './recipients/quotas/quotas.js';
import { createRecipientQuotasStore } from './recipients/quotas/store.js';
import { createReferences, type ReferenceHolder } from './references/references.js';
import { resultRecordsSlice, resultsSlice } from './results/open.js';
import { createUptimeAtRead } from './results/uptime/at-read.js';
import { percentUp, uptimeWindow } from './results/uptime/uptime.js';
import { secondFactorSlice } from './second-factor/open.js';
import { serverRecordsSlice, serversSlice } from './servers/open.js';
import { remoteWriteSlice } from './servers/prometheus/open.js';
import { serverRulesSlice } from './servers/rules/open.js';
import type { ServerStore } from './servers/store.js';
import { sessionsSlice } from './sessions/open.js';
import { signInSlice } from './sign-in/open.js';
import { singleSignOnSlice } from './single-sign-on/open.js';
import { needsSingleSignOn } from './single-sign-on/sign-in/policy.js';
import { trustedHeaderSlice } from './single-sign-on/trusted-header/open.js';
import { statusPagesSlice } from './status-pages/open.js';
import { setAsideSlice } from './storage/set-aside/open.js';
import type { Transaction } from './storage/transaction.js';
import { teamSlice } from './team/open.js';
import { timelineSlice } from './timeline/open.js';
import { verdictRecordsSlice, verdictsSlice } from './verdicts/open.js';
import { wordpressSlice } from './wordpress/open.js';
import { workspacesSlice } from './workspaces/open.js';

/** What every slice can use. */
export interface Base extends Foundation {
  config: Config;
  version: string;
  /** Of Prometheus metrics. */
  registry: Registry;
  /** The DNS blacklists, read before the database is opened because a wrong file is a wrong setting. */
  catalogue: Catalogue;
}

/** Gives a slice the transactions of requests, with their short deadline, because people wait for what it does. */
function withRequestDeadline<From extends Base>(from: From): From {
  return { ...from, runTransaction: from.runRequestTransaction };
}

/** Returns what knows the references to a thing, in whichever slices they are stored. */
function referencesOf({ db, referenceHolders }: Base & { referenceHolders(): readonly ReferenceHolder[] }) {
  return createReferences(db, referenceHolders);
}

/** People: who they are, how they log in, and their workspaces. */
function peopleSlices() {
  return composition<Base>()
    .add(setAsideSlice, (from) => from)
    .add(mailSlice, (from) => ({ ...withRequestDeadline(from), ...from.config, box: from.secretBox }))
    .add(accountsSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        scopes: from.declared.scopes,
        mailer: from.mail.mailer,
        publicUrl: from.config.publicUrl,
      },
    }))
    .add(sessionsSlice, (from) => ({
      ...{ ...withRequestDeadline(from), mailer: from.mail.mailer, publicUrl: from.config.publicUrl },
      needsSingleSignOn,
    }))
    .add(secondFactorSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.sessions,
        sessions: from.sessions.ofPeople,
        scopes: from.declared.scopes,
      },
      ...{ mailer: from.mail.mailer, publicUrl: from.config.publicUrl },
      requiringWorkspaces: createRequiringWorkspaces(from.db),
    }))
    .add(signInSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.sessions,
        sessions: from.sessions.ofPeople,
        scopes: from.declared.scopes,
      },
      ...{ publicUrl: from.config.publicUrl },
      ...{ secondFactors: from.secondFactors.check, confirmations: from.secondFactors.confirmations },
    }))
    .add(ownAccountSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.config,
        ...from.sessions,
        sessions: from.sessions.ofPeople,
        mailer: from.mail.mailer,
      },
      ...{ tokens: from.oneTimeTokens, passwordProblem: from.accounts.passwordProblem, scopes: from.declared.scopes },
      countedGuess: from.logIn.lockOut.attempt,
      endAddress: createEndAddressAccess(from.memberAccess),
      forgetFactors: from.secondFactors.forget,
      endAccess: createEndMemberAccess(from.memberAccess),
      disableChannels: createDisableAll(from),
    }))
    .add(trustedHeaderSlice, (from) => ({
      ...{ ...withRequestDeadline(from), ...from.config, header: from.config.trustedHeader },
      ...{ proveAddress: from.ownAccount.proveAddress, sessions: from.sessions.ofPeople },
      signedIn: from.sessions.signedIn,
    }))
    .add(workspacesSlice, (from) => ({
      forgetFactors: from.secondFactors.forget,
      hasRenewingSubscription: from.config.stripe === null ? async () => false : createHasRenewingSubscription(from.db),
      endAccess: createEndMemberAccess(from.memberAccess),
      runTaskTransaction: from.runTransaction,
      ...{
        ...withRequestDeadline(from),
        sessions: from.trustedHeader.sessions,
        mailer: from.mail.mailer,
        publicUrl: from.config.publicUrl,
      },
    }))
    .add(singleSignOnSlice, (from) => ({
      ...{
        ...withRequestDeadline(from),
        ...from.config,
        box: from.secretBox,
        installation: from.config.installationProvider,
      },
      ...{ signIn: from.sessions.signIn, sessions: from.sessions.ofPeople },
      endAccess: createEndMemberAccess(from.memberAccess),
      factors: from.secondFactors.check,
      proveAddress: from.ownAccount.proveAddress,
      fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }),
    }))
    .add(teamSlice, (from) => ({
      ...{ ...withRequestDeadline(from), publicUrl: from.config.publicUrl, smtpUrl: from.config.smtpUrl },
      mailer: from.mail.mailer,
      countInvitation: createRecipientQuotas({ store: createRecipientQuotasStore(from.db), clock: from.clock })
        .countInvitation,
      ...{ ...from.trustedHeader, signIn: from.sessions.signIn },
      passwordProblem: from.accounts.passwordProblem,
      withLogIn: from.logIn.withLogIn,
      confirmEmail: from.config.confirmEmail,
      endAccess: createEndMemberAccess(from.memberAccess),
      secondFactorsOf: from.secondFactors.withFactor,
      account: { schema: accountSchema(from.declared.scopes), of: accountOf },
    }));
}

/** What people watch, with the probes and the notifications. */
function monitoringSlices() {
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
    }))
    .add(monitorTransferSlice, (from) => ({
      ...{ monitors: from.monitors.bulk, audit: from.audit, clock: from.clock },
      runTransaction: from.runRequestTransaction,
    }));
}

/** The slices of the control plane. Each needs only slices above it. */
export function composeProduct() {
  return monitoringSlices()
    .add(resultRecordsSlice, ({ db, refusedRecords }) => ({ db, setAside: refusedRecords.setAside }))
    .add(verdictsSlice, (from) => ({
      ...from,
      ...{
        records: from.verdictRecords,
        monitors: from.monitorRecords.store,
        directory: from.monitorRecords.directory,
      },
      runOutageTransaction: from.runVerdictTransaction,
      ...{ results: from.resultRecords.results, incidentRecords: from.incidentRecords.store },
      ...{ locations: from.nodes.locations, commands: from.nodes.commands, systemActor: platformActor },
      operatorsWorkspace: from.operators.workspaceId,
      maintenance: from.maintenanceRecords,
    }))
    .add(monitorBulkSlice, (from) => ({
      ...{ ...from, monitors: from.monitors.many, box: from.secretBox, backtest: from.verdicts.backtest },
      countOutages: from.verdicts.countOutages,
    }))
    .add(resultsSlice, (from) => ({
      ...from,
      ...{ monitors: from.monitorRecords.store, directory: from.monitorRecords.directory },
      ...{ results: from.resultRecords.results, setAside: from.refusedRecords.setAside },
      ...{ quarantines: from.verdictRecords.quarantines, locations: from.nodes.locations },
      maintenance: from.maintenanceRecords,
      ...{ assigned: from.nodes.assignedSlots },
      ...{ evaluate: from.verdicts.evaluator.evaluate, certificatesSeen: from.verdicts.certificatesSeen },
    }))
    .add(locationsSlice, (from) => ({
      ...from,
      ...{ detectionDelay: from.verdicts.detectionDelay, quarantined: from.verdicts.quarantined },
      ...{ monitors: from.monitorRecords.directory.size, isMonitored: from.monitorRecords.store.isCheckedFrom },
    }))
    .add(alertRulesSlice, (from) => ({
      ...{ ...from, ruleTypes: from.declared.ruleTypes, channels: from.notifications.channelIds },
      systemActor: platformActor,
    }))
    .add(serverRulesSlice, (from) => ({
      ...{ ...from, servers: from.serverRecords.store, history: from.serverRecords.history },
      ...{ reception: from.nodes.agentReception, systemActor: platformActor },
      // What fails is tried again by the next sample, check or sweep, so nothing waits for a locked workspace.
      runTransaction: from.runVerdictTransaction,
    }))
    .add(remoteWriteSlice, ({ config, clock, logger }) => ({ remoteWrite: config.remoteWrite, clock, logger }))
    .add(serversSlice, (from) => ({
      ...{ ...from, records: from.serverRecords, plans: from.standings.retention, workspace: from.workspaces.find },
      agents: {
        credentials: from.nodes.agentCredentials,
        requests: from.nodes.agentRequests,
        installCommand: (token) => from.install.command('agent.sh', token),
        address: from.config.grpcAddress,
      },
      ...{ reception: from.nodes.agentReception, runStatusTransaction: from.runVerdictTransaction },
      ...{ status: from.serverRules.statusListener, ensureDefaultRules: from.serverRules.ensureDefaultRules },
      listeners: [from.serverRules.evaluator, ...from.remoteWrite.listeners],
      references: referencesOf(from),
      authorize: (ctx) => authorize(ctx, 'servers:read'),
    }))
    .add(blacklistRecordsSlice, ({ db }) => ({ db }))
    .add(listingRulesSlice, (from) => ({
      ...{ ...from, blacklist: from.blacklistRecords.store, systemActor: platformActor },
    }))
    .add(blacklistSlice, (from) => ({
      ...{ ...from, records: from.blacklistRecords },
      references: referencesOf(from),
      ...{ catalogue: from.catalogue, dnsServers: from.config.dnsServers },
      ...{ listener: from.listingRules.listener, ensureDefaultRule: from.listingRules.ensureDefaultRule },
    }))
    .add(clientReportsSlice, (from) => ({
      ...{ ...from, percentUp, publicUrl: from.config.publicUrl },
      sources: {
        monitors: from.monitorRecords.store.listOldest,
        hours: from.results.hours,
        incidents: from.incidentRecords.store.began,
        reputation: createReadReputation(from.blacklistRecords.store),
      },
    }))
    .add(wordpressSlice, (from) => ({
      ...{ ...from, box: from.secretBox, fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }) },
    }))
    .add(maintenanceSlice, (from) => ({ ...from, records: from.maintenanceRecords, ...existingTargets(from) }))
    .add(statusPagesSlice, (from) => ({
      ...{ ...from, ...existingTargets(from), percentUp, publicUrl: from.config.publicUrl },
      ...{ box: from.secretBox, signedIn: from.trustedHeader.signedIn },
      sources: {
        monitors: from.monitorRecords.store.watched,
        servers: from.serverRecords.store.watched,
        hours: from.results.hours,
        incidents: from.incidentRecords.store.ofSubjects,
        planned: from.maintenanceRecords.cache.planned,
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

async function systemActorOf({ workspaces, ids }: Pick<Foundation, 'workspaces' | 'ids'>, workspaceId: string) {
  const workspace = await workspaces.find(workspaceId);
  if (workspace === null) throw new Error(`the workspace ${workspaceId} does not exist any more`);
  return systemActor(workspace, ids.next('evt'));
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
