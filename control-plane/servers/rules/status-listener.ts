import type { AlertRules } from '../../alert-rules/alert-rules.js';
import { shortName } from '../../wording.js';
import type { StatusListener } from '../servers.js';
import type { MetricEvaluator } from './metric/evaluate.js';
import type { ServerFactsCache } from './metric/server-facts.js';
import type { OfflineIncidents } from './offline/incidents.js';

/** Applies the rules on servers to changes of a server, in the transaction of the change. */
export function createStatusListener(needs: {
  alertRules: Pick<AlertRules, 'cached' | 'resolveObsolete'>;
  offline: OfflineIncidents;
  facts: Pick<ServerFactsCache, 'invalidate'>;
  evaluator: Pick<MetricEvaluator, 'invalidate'>;
}): StatusListener {
  const { alertRules, offline, facts, evaluator } = needs;
  return {
    async changed(tx, server, { to, atMs }) {
      if (to === 'online') await offline.resolve(tx, server, atMs);
      if (to !== 'offline') return;
      const changed = { ...server, status: to, status_changed_at_ms: atMs };
      await offline.open(tx, changed, await alertRules.cached(server.workspace_id), atMs);
    },
    async edited(tx, actor, server) {
      tx.afterCommit(() => facts.invalidate(server._id));
      await alertRules.resolveObsolete(tx, actor, {
        resolution: 'server_changed',
        because: `no alert rule applies to ${shortName(server.name)} after its tags were changed`,
      });
    },
    async deleted(tx, actor, server) {
      tx.afterCommit(() => {
        facts.invalidate(server._id);
        evaluator.invalidate(server._id);
      });
      await alertRules.resolveObsolete(tx, actor, {
        resolution: 'deleted',
        because: `the server ${shortName(server.name)} was deleted`,
        deleted: server._id,
      });
    },
  };
}
