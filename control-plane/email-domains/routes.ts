import type { Clock } from '../../kernel/clock.js';
import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { keptMs } from '../retention/retention.js';
import { createEmailDomain } from './create.js';
import type { EmailDomainDocument } from './documents.js';
import type { DomainDaysStore } from './monitoring/days-store.js';
import type { EmailDomainNeeds } from './needs.js';
import { removeEmailDomain } from './remove.js';
import { requestCheck } from './request-check.js';
import {
  CreateEmailDomain,
  EmailDomain,
  EmailDomainDay,
  EmailDomainId,
  EmailDomainWithAreas,
  ListEmailDomainDays,
  ListEmailDomains,
  UpdateEmailDomain,
} from './schema.js';
import { updateEmailDomain } from './update.js';
import { dayView, domainView, domainWithAreasView } from './view.js';

const PATH = '/api/v1/email-domains';
const TAG = 'E-mail domains';

interface RouteNeeds {
  operations: EmailDomainNeeds;
  days: Pick<DomainDaysStore, 'page'>;
  pager: Pager;
  clock: Clock;
}

const reply = (domain: EmailDomainDocument) => ({
  status: 200 as const,
  data: domainWithAreasView(domain),
  version: domain.version,
});

export function createEmailDomainRoutes(needs: RouteNeeds): Route[] {
  return [...readRoutes(needs), ...writeRoutes(needs.operations)];
}

function readRoutes({ operations: { store }, days, pager, clock }: RouteNeeds): Route[] {
  const base = { method: 'GET', access: 'email_domains:read', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      path: PATH,
      summary: 'List e-mail domains, newest first',
      query: ListEmailDomains,
      replies: { 200: EmailDomain },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('email-domains', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const found = await store.list(actor.workspaceId, query, after, rowsMax);
        return page.reply(found, (rows) => rows.map(domainView));
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}`,
      summary: 'Get an e-mail domain with its areas',
      params: EmailDomainId,
      replies: { 200: EmailDomainWithAreas },
      async handle({ actor, params }) {
        const domain = await store.find(actor.workspaceId, params.id);
        if (domain === null) throw notFound('e-mail domain');
        return reply(domain);
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}/history`,
      summary: 'List the scores of an e-mail domain, newest first',
      description:
        'One line a day (UTC), of its last check. The history goes back as far as the plan keeps hourly values.',
      params: EmailDomainId,
      query: ListEmailDomainDays,
      replies: { 200: EmailDomainDay },
      list: true,
      async handle({ actor, params, query }) {
        const page = pager.open(`email-domain-days/${params.id}`, BY_ID, { actor, query });
        const domain = await store.find(actor.workspaceId, params.id);
        if (domain === null) throw notFound('e-mail domain');
        const { after, rowsMax } = page.request;
        const from = new Date(clock.now() - keptMs(actor.retentionPlan).hoursMs).toISOString().slice(0, 10);
        const of = { workspaceId: actor.workspaceId, domainId: domain._id };
        return page.reply(await days.page(of, from, after, rowsMax), (rows) => rows.map(dayView));
      },
    }),
  ];
}

function writeRoutes(needs: EmailDomainNeeds): Route[] {
  const base = { access: 'email_domains:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: PATH,
      summary: 'Add an e-mail domain',
      description:
        'Picket checks the domain at once, and then daily. Returns 409 `conflict` if the workspace has it already. The first domain of a workspace also creates the alert rule `email_score_fell`.',
      body: CreateEmailDomain,
      replies: { 201: EmailDomainWithAreas },
      errors: ['plan_limit', 'conflict'],
      async handle({ actor, body }, tx) {
        const domain = await createEmailDomain(needs, tx, actor, body);
        return { ...reply(domain), status: 201, location: `${PATH}/${domain._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      summary: 'Update the DKIM selectors of an e-mail domain',
      description: 'Picket then checks the domain at once. Supports `If-Match`.',
      params: EmailDomainId,
      body: UpdateEmailDomain,
      replies: { 200: EmailDomainWithAreas },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(await updateEmailDomain(needs, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete an e-mail domain',
      description: 'Resolves its incident and deletes its history. Supports `If-Match`.',
      params: EmailDomainId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeEmailDomain(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
    mutationRoute({
      ...base,
      method: 'POST',
      path: `${PATH}/{id}/check`,
      summary: 'Check an e-mail domain now',
      description:
        'The check runs in the background: `last_checked_at` changes when it is done. 429 `rate_limited` if a check of the domain was requested within the last minute.',
      params: EmailDomainId,
      replies: { 202: EmailDomainWithAreas },
      errors: ['rate_limited'],
      async handle({ actor, params }, tx) {
        return { status: 202, data: domainWithAreasView(await requestCheck(needs, tx, actor, params.id)) };
      },
    }),
  ];
}
