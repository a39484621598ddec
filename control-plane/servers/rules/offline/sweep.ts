import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import { type AlertRules, type HandlerSweep, hasJoined, type ReadRules } from '../../../alert-rules/alert-rules.js';
import type { RuleIncidentHead, RuleIncidents } from '../../../incidents/incidents.js';
import type { AgentReception } from '../../../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction } from '../../../storage/transaction.js';
import type { ServerDirectory, ServerFacts } from '../../servers.js';
import { offlineSubject, parseSubject } from '../subjects.js';
import { dueOfflineRules, type OfflineIncidents } from './incidents.js';

export interface ServerSweepNeeds {
  alertRules: Pick<AlertRules, 'enabled'>;
  servers: Pick<ServerDirectory, 'find' | 'findMany' | 'offline'>;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  offline: OfflineIncidents;
  /** Rules wait while control planes cannot know whether the server has come back. */
  reception: Pick<AgentReception, 'lost'>;
  runTransaction: RunTransaction;
  /** Resolves to the time of the database, in milliseconds since the Unix epoch. */
  databaseTime(): Promise<number>;
  clock: Clock;
  logger: Logger;
}

const PAGE_SERVERS = 500;

/**
 * Returns the sweep of offline servers: servers that are offline for long enough for a rule, and rules that were created
 * while a server was offline.
 */
export function createServerSweep(needs: ServerSweepNeeds): (readRules: ReadRules) => HandlerSweep {
  return (readRules) => ({
    async openMissing(stillHeld) {
      let after: string | null = null;
      for (;;) {
        const page: ServerFacts[] = await needs.servers.offline(after, PAGE_SERVERS);
        for (const workspaceId of new Set(page.map((server) => server.workspace_id))) {
          if (!(await stillHeld())) return false;
          const servers = page.filter((server) => server.workspace_id === workspaceId);
          await openDue(needs, readRules, workspaceId, servers);
        }
        after = page.at(-1)?._id ?? null;
        if (page.length < PAGE_SERVERS) return true;
      }
    },
    resolveEnded: (workspaceId, incidents) => resolveOnline(needs, workspaceId, incidents),
    completed() {},
  });
}

async function openDue(
  needs: ServerSweepNeeds,
  readRules: ReadRules,
  workspaceId: string,
  servers: readonly ServerFacts[],
): Promise<void> {
  const { alertRules, incidents, offline, reception, runTransaction, logger } = needs;
  const rules = await readRules(workspaceId);
  const nowMs = await needs.databaseTime();
  const due = servers.flatMap((server) => {
    const firing = dueOfflineRules(rules, server, nowMs);
    return firing.length === 0 ? [] : [{ server, firing }];
  });
  if (due.length === 0) return;
  const subjects = due.map(({ server }) => offlineSubject(server._id));
  const open = new Map((await incidents.unresolvedAmong(workspaceId, subjects)).map((one) => [one.subject, one]));
  const missing = due.filter(({ server, firing }) => {
    const known = open.get(offlineSubject(server._id));
    return known === undefined || !hasJoined(known, firing);
  });
  const lost = await reception.lost(
    missing.map(({ server }) => ({ id: server._id, workspaceId, silentMs: nowMs - server.status_changed_at_ms })),
  );
  for (const { server } of missing) {
    if (!lost.has(server._id)) continue;
    try {
      await runTransaction(async (tx) => {
        const present = await needs.servers.find(workspaceId, server._id, tx);
        if (present !== null) await offline.open(tx, present, await alertRules.enabled(workspaceId, tx), nowMs);
      });
    } catch (err) {
      // A duplicate key means that the change of the status has just opened the incident.
      if (isDuplicateKey(err)) continue;
      logger.warn(
        { err, server: server._id },
        'failed to open an incident for an offline server; the next sweep retries',
      );
    }
  }
}

async function resolveOnline(
  { servers, offline, runTransaction, clock }: ServerSweepNeeds,
  workspaceId: string,
  incidents: readonly RuleIncidentHead[],
): Promise<void> {
  const ids = incidents.flatMap(({ subject }) => {
    const parsed = parseSubject(subject);
    return parsed?.type === 'server_offline' ? [parsed.serverId] : [];
  });
  const found = ids.length === 0 ? [] : await servers.findMany(workspaceId, ids);
  for (const { _id } of found.filter(({ status }) => status === 'online')) {
    await runTransaction(async (tx) => {
      const present = await servers.find(workspaceId, _id, tx);
      if (present?.status === 'online') await offline.resolve(tx, present, clock.now());
    });
  }
}
