import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { createAlertRule } from './create.js';
import type { AlertRuleDocument } from './documents.js';
import type { AlertRuleNeeds } from './needs.js';
import { removeAlertRule } from './remove.js';
import type { RuleTypes } from './rule-types.js';
import { AlertRuleId, alertRuleSchemas, ListAlertRules } from './schema.js';
import { updateAlertRule } from './update.js';
import { ruleView } from './view.js';

type Schemas = ReturnType<typeof alertRuleSchemas>;

const TAG = 'Alert rules';

export function createAlertRuleRoutes(needs: AlertRuleNeeds, pager: Pager): Route[] {
  const { store, types } = needs;
  const schemas = alertRuleSchemas(types);
  return [
    readRoute({
      method: 'GET',
      path: '/v1/alert-rules',
      access: 'alerts:read',
      tag: TAG,
      summary: 'List alert rules, newest first',
      query: ListAlertRules,
      replies: { 200: schemas.AlertRule },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('alert-rules', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const found = await store.list(actor.workspaceId, after, rowsMax);
        return page.reply(found, (rows) => rows.map((rule) => ruleView(types, rule)));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/alert-rules/{id}',
      access: 'alerts:read',
      tag: TAG,
      summary: 'Get an alert rule',
      params: AlertRuleId,
      replies: { 200: schemas.AlertRule },
      async handle({ actor, params }) {
        const rule = await store.find(actor.workspaceId, params.id);
        if (rule === null) throw notFound('alert rule');
        return reply(types, rule);
      },
    }),
    ...changeRoutes(needs, schemas),
  ];
}

function changeRoutes(needs: AlertRuleNeeds, { AlertRule, CreateAlertRule, UpdateAlertRule }: Schemas): Route[] {
  const base = { access: 'full', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: '/v1/alert-rules',
      summary: 'Create an alert rule',
      description: createDescription(needs.types),
      body: CreateAlertRule,
      replies: { 201: AlertRule },
      errors: ['conflict'],
      async handle({ actor, body }, tx) {
        const rule = await createAlertRule(needs, tx, actor, body);
        return { ...reply(needs.types, rule), status: 201, location: `/v1/alert-rules/${rule._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: '/v1/alert-rules/{id}',
      summary: 'Update an alert rule',
      description:
        'Only the fields you send are updated; the type cannot change. Resolves incidents to which the rule no longer applies. Supports `If-Match`.',
      params: AlertRuleId,
      body: UpdateAlertRule,
      replies: { 200: AlertRule },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const rule = await updateAlertRule(needs, tx, actor, { id: params.id, patch: body, ifVersion });
        return reply(needs.types, rule);
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/alert-rules/{id}',
      summary: 'Delete an alert rule',
      description: 'Resolves its unresolved incidents. Supports `If-Match`.',
      params: AlertRuleId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeAlertRule(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function createDescription({ targets }: RuleTypes): string {
  const fields = [...targets.keys()].map((name) => `\`${name}\``);
  const selection =
    fields.length === 0 ? '' : `, or to those that ${fields.slice(0, -1).join(', ')} or ${fields.at(-1)} select`;
  return `Applies to all resources of its type${selection}. A rule opens one incident for each resource that meets its condition; for listings, one for each list. Rules that match the same offline server, the same disk or the same listing share one incident.`;
}

function reply(types: RuleTypes, rule: AlertRuleDocument) {
  return { status: 200 as const, data: ruleView(types, rule), version: rule.version };
}
