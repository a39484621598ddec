import { type RuleTypeHandler, refuseUnknown } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import type { RuleIncidentHead } from '../../incidents/incidents.js';
import type { ServerDirectory, ServerFacts } from '../servers.js';
import { createServerSweep, type ServerSweepNeeds } from './offline/sweep.js';
import { appliesTo, diskFullType, metricType, offlineType, SERVER_RULE_TYPES } from './rule-types.js';
import { parseSubject } from './subjects.js';

interface ServerHandlerNeeds extends ServerSweepNeeds {
  servers: ServerDirectory;
}

/** Returns the handler of the rule types on servers. */
export function createServerRuleHandler(needs: ServerHandlerNeeds): RuleTypeHandler {
  const { servers } = needs;
  const beginSweep = createServerSweep(needs);
  return {
    types: SERVER_RULE_TYPES.map(({ type }) => type),
    async checkTargets(tx, workspaceId, { server_ids: ids }) {
      if (!Array.isArray(ids)) return;
      refuseUnknown('server_ids', 'a server', ids, await servers.findMany(workspaceId, ids, tx));
    },
    async withRule(workspaceId, incidents, rules, tx) {
      const ids = [...new Set(incidents.flatMap(({ subject }) => parseSubject(subject)?.serverId ?? []))];
      const found = ids.length === 0 ? [] : await servers.findMany(workspaceId, ids, tx);
      const byId = new Map(found.map((server) => [server._id, server]));
      return new Set(incidents.filter((one) => hasRule(one, rules, byId)).map(({ subject }) => subject));
    },
    beginSweep: async (readRules) => beginSweep(readRules),
  };
}

/** Whether the server exists and an enabled rule applies to it; for a metric rule, the same rule on the same metric. */
function hasRule(
  { subject, decision }: RuleIncidentHead,
  rules: readonly AlertRuleDocument[],
  servers: ReadonlyMap<string, ServerFacts>,
): boolean {
  const parsed = parseSubject(subject);
  const server = parsed === null ? undefined : servers.get(parsed.serverId);
  if (parsed === null || server === undefined) return false;
  if (parsed.type === 'metric') {
    const metric = decision?.rule.metric;
    return metricType
      .of(rules)
      .some((rule) => rule.enabled && rule._id === parsed.ruleId && rule.metric === metric && appliesTo(rule, server));
  }
  const type = parsed.type === 'server_offline' ? offlineType : diskFullType;
  return type.of(rules).some((rule) => rule.enabled && appliesTo(rule, server));
}
