import type { RuleCache } from '../../alert-rules/rule-cache.js';
import type { ResolveUnfounded } from '../../alert-rules/unfounded.js';
import type { StatusListener } from '../servers.js';
import type { MetricEvaluator } from './evaluate.js';
import type { OfflineIncidents } from './offline.js';
import type { ServerFactsCache } from './server-facts.js';

/** What rules make of a server's changes, in the transactions of those. */
export function createStatusListener(deps: {
  cache: Pick<RuleCache, 'get'>;
  offline: OfflineIncidents;
  resolveUnfounded: ResolveUnfounded;
  facts: Pick<ServerFactsCache, 'forget'>;
  evaluator: Pick<MetricEvaluator, 'forget'>;
}): StatusListener {
  const { cache, offline, resolveUnfounded, facts, evaluator } = deps;
  return {
    async changed(tx, server, { to, atMs }) {
      if (to === 'online') await offline.resolve(tx, server, atMs);
      if (to !== 'offline') return;
      const now = { ...server, status: to, status_changed_at_ms: atMs };
      await offline.open(tx, now, await cache.get(server.workspace_id));
    },
    async edited(tx, actor, server) {
      tx.afterCommit(() => facts.forget(server._id));
      await resolveUnfounded(tx, actor, { why: { kind: 'server_changed', server: server.name }, gone: null });
    },
    async deleted(tx, actor, server) {
      tx.afterCommit(() => {
        facts.forget(server._id);
        evaluator.forget(server._id);
      });
      await resolveUnfounded(tx, actor, { why: { kind: 'server_deleted', server: server.name }, gone: server._id });
    },
  };
}
