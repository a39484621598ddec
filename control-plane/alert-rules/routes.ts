import { notFound } from '../errors.js';
import type { Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { RuleContext } from './context.js';
import { createAlertRule } from './create.js';
import type { AlertRuleDocument } from './documents.js';
import { removeAlertRule } from './remove.js';
import { AlertRule, AlertRuleId, CreateAlertRule, ListAlertRules, UpdateAlertRule } from './schema.js';
import { updateAlertRule } from './update.js';
import { ruleView } from './view.js';

const TAG = 'Alert rules';

export function createAlertRuleRoutes(context: RuleContext, pager: Pager): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/alert-rules',
      access: 'alerts:read',
      tag: TAG,
      summary: 'List alert rules, newest first',
      query: ListAlertRules,
      replies: { 200: AlertRule },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('alert-rules', { actor, query });
        const { after, rowsMax } = page.request;
        const found = await context.store.list(actor.workspaceId, after === null ? null : String(after[0]), rowsMax);
        const { rows, nextCursor } = page.reply(found, (rule) => [rule._id]);
        return { status: 200, data: rows.map(ruleView), nextCursor };
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/alert-rules/{id}',
      access: 'alerts:read',
      tag: TAG,
      summary: 'Get an alert rule',
      params: AlertRuleId,
      replies: { 200: AlertRule },
      async handle({ actor, params }) {
        const rule = await context.store.find(actor.workspaceId, params.id);
        if (rule === null) throw notFound('alert rule');
        return reply(rule);
      },
    }),
    ...changeRoutes(context),
  ];
}

function changeRoutes(context: RuleContext): Route[] {
  const base = { access: 'full', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: '/v1/alert-rules',
      summary: 'Create an alert rule',
      description:
        'For all servers, or for those that `server_ids` or `tags` name; of type `blacklist_listed` for all blacklist monitors, or for those of `blacklist_monitor_ids`. It makes one incident for each server that breaks it, or for each list that lists a monitor’s target; of rules that see the same server offline, the same disk fill up, or the same listing, there is one incident in all.',
      body: CreateAlertRule,
      replies: { 201: AlertRule },
      errors: ['conflict'],
      async handle({ actor, body }, tx) {
        const rule = await createAlertRule(context, tx, actor, body);
        return { ...reply(rule), status: 201, location: `/v1/alert-rules/${rule._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: '/v1/alert-rules/{id}',
      summary: 'Change an alert rule',
      description:
        'Members that are named change, the others stay; the type cannot change. Incidents of what the rule is no longer for are resolved. `If-Match` is honoured.',
      params: AlertRuleId,
      body: UpdateAlertRule,
      replies: { 200: AlertRule },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(await updateAlertRule(context, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/alert-rules/{id}',
      summary: 'Delete an alert rule',
      description: 'Its unresolved incidents are resolved. `If-Match` is honoured.',
      params: AlertRuleId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeAlertRule(context, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function reply(rule: AlertRuleDocument) {
  return { status: 200 as const, data: ruleView(rule), version: rule.version };
}
