import { createGuardedDownload } from '../../kernel/guard/guarded-download.js';
import { createGuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import { platformActor } from '../actor.js';
import { alertRulesSlice } from '../alert-rules/open.js';
import { backupJobsSlice, backupRecordsSlice } from '../backup-jobs/open.js';
import { backupRulesSlice } from '../backup-jobs/rules/open.js';
import { blacklistRecordsSlice, blacklistSlice } from '../blacklist/open.js';
import { listingRulesSlice } from '../blacklist/rules/open.js';
import { domainExpirySlice, domainRecordsSlice } from '../domain-expiry/open.js';
import { domainRulesSlice } from '../domain-expiry/rules/open.js';
import { policyUrl } from '../email-domains/areas/mta-sts.js';
import { SMTP_PORT } from '../email-domains/check/ask-starttls.js';
import { emailDomainRecordsSlice, emailDomainsSlice } from '../email-domains/open.js';
import { emailRulesSlice } from '../email-domains/rules/open.js';
import { authorize } from '../http/authenticate.js';
import { monitorBulkSlice } from '../monitor-bulk/open.js';
import { locationsSlice } from '../nodes/locations/open.js';
import { resultRecordsSlice, resultsSlice } from '../results/open.js';
import { scanRecordsSlice, scansSlice } from '../scans/open.js';
import { serversSlice } from '../servers/open.js';
import { remoteWriteSlice } from '../servers/prometheus/open.js';
import { serverRulesSlice } from '../servers/rules/open.js';
import { verdictsSlice } from '../verdicts/open.js';
import { wordpressRecordsSlice } from '../wordpress/open.js';
import { wordpressRulesSlice } from '../wordpress/rules/open.js';
import { referencesOf } from './base.js';
import { monitoringSlices } from './monitoring.js';

/**
 * What becomes of what probes and agents send: verdicts, results, servers, blacklists, backups, e-mail domains,
 * registrations of domains and security scans.
 * The rules of WordPress sites are here too, because every rule type needs the engine of alert rules.
 */
export function checkSlices() {
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
      ownersOf: from.memberships.ownersOf,
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
    .add(backupRecordsSlice, ({ db }) => ({ db }))
    .add(backupRulesSlice, (from) => ({
      ...{ ...from, backupJobs: from.backupRecords.store, systemActor: platformActor },
    }))
    .add(backupJobsSlice, (from) => ({
      ...{ ...from, records: from.backupRecords, references: referencesOf(from) },
      ...{ listener: from.backupRules.listener, ensureDefaultRule: from.backupRules.ensureDefaultRule },
      publicUrl: from.config.publicUrl,
    }))
    .add(emailDomainRecordsSlice, ({ db }) => ({ db }))
    .add(emailRulesSlice, (from) => ({
      ...from,
      domains: from.emailDomainRecords.store,
      systemActor: platformActor,
    }))
    .add(emailDomainsSlice, (from) => ({
      ...from,
      records: from.emailDomainRecords,
      dnsServers: from.config.dnsServers,
      fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }),
      policyUrl,
      ehloName: new URL(from.config.publicUrl).hostname,
      smtpPort: SMTP_PORT,
      mailAuthorities: null,
      listener: from.emailRules.listener,
      ensureDefaultRule: from.emailRules.ensureDefaultRule,
    }))
    .add(domainRecordsSlice, ({ db }) => ({ db }))
    .add(domainRulesSlice, (from) => ({
      ...from,
      domains: from.domainRecords.domains,
      systemActor: platformActor,
    }))
    .add(domainExpirySlice, (from) => ({
      ...from,
      records: from.domainRecords,
      bootstrapUrl: from.config.rdapBootstrap,
      download: createGuardedDownload(from),
      ...{ targets: from.monitorRecords.store, findMonitor: from.monitorRecords.store.find },
      ...{ changes: from.monitorRecords.changes, listener: from.domainRules.listener },
    }))
    .add(wordpressRecordsSlice, ({ db }) => ({ db }))
    .add(wordpressRulesSlice, (from) => ({
      ...from,
      sites: from.wordpressRecords.sites,
      publicUrl: from.config.publicUrl,
      systemActor: platformActor,
    }))
    .add(scanRecordsSlice, ({ db }) => ({ db }))
    .add(scansSlice, (from) => ({
      ...from,
      records: from.scanRecords,
      probes: from.nodes.scans,
      findMonitor: from.monitorRecords.store.find,
      dnsServers: from.config.dnsServers,
      fetch: createGuardedFetch({ guard: from.guard, clock: from.clock }),
      box: from.secretBox,
      systemActor: platformActor,
    }));
}
