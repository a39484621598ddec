import type { Clock } from '../../kernel/clock.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { PLANS } from '../plans/plans.js';
import { createSite, type SiteWithCode } from './create.js';
import type { SiteDocument } from './documents.js';
import { loadSite } from './load.js';
import type { SiteNeeds } from './needs.js';
import { createActivationCode } from './new-code.js';
import { removeSite } from './remove.js';
import {
  CreatedSite,
  CreateSite,
  HardeningCenter,
  IdOfSite,
  Job,
  PageOfSites,
  Site,
  SiteWithChecks,
} from './schema.js';
import { checksView, hardeningCenterView, jobView, siteView } from './view.js';
import { vulnerabilitiesView } from './vulnerabilities/view.js';

const PATH = '/api/v1/wp/admin';
const TAG = 'WordPress';
/** The largest plan, and what is left of a larger one. */
const SITES_MAX = 2 * PLANS.Enterprise.sites;

interface RouteNeeds {
  operations: SiteNeeds;
  pager: Pager;
}

/** Returns the routes of sites and of the hardening centre. */
export function createSiteRoutes(needs: RouteNeeds): Route[] {
  return [...readRoutes(needs), ...writeRoutes(needs.operations)];
}

function readRoutes({ operations, pager }: RouteNeeds): Route[] {
  const { sites, jobs, clock } = operations;
  const base = { method: 'GET', access: 'wordpress:read', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      path: `${PATH}/sites`,
      summary: 'List WordPress sites, newest first',
      query: PageOfSites,
      replies: { 200: Site },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('wp-sites', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const nowMs = clock.now();
        return page.reply(await sites.list(actor.workspaceId, after, rowsMax), (rows) =>
          rows.map((site) => siteView(site, nowMs)),
        );
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/sites/{id}`,
      summary: 'Get a WordPress site with its ten checks',
      params: IdOfSite,
      replies: { 200: SiteWithChecks },
      async handle({ actor, params }) {
        const site = await loadSite(sites, actor, params.id);
        const latest = await jobs.latest(actor.workspaceId, [site._id]);
        const nowMs = clock.now();
        const data = {
          ...siteView(site, nowMs),
          checks: checksView(site, latest, nowMs),
          vulnerabilities: vulnerabilitiesView(site, nowMs),
        };
        return { status: 200, data, version: site.version };
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/sites/{id}/jobs`,
      summary: 'List the jobs of a WordPress site, newest first',
      description: 'The last 100 jobs are kept.',
      params: IdOfSite,
      query: PageOfSites,
      replies: { 200: Job },
      list: true,
      async handle({ actor, params, query }) {
        const site = await loadSite(sites, actor, params.id);
        const page = pager.open(`wp-jobs/${site._id}`, BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        return page.reply(await jobs.list(actor.workspaceId, site._id, after, rowsMax), (rows) => rows.map(jobView));
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/hardening-center`,
      summary: 'Get the checks of all WordPress sites',
      replies: { 200: HardeningCenter },
      async handle({ actor }) {
        const all = await sites.list(actor.workspaceId, null, SITES_MAX);
        const ids = all.map(({ _id }) => _id);
        const latest = await jobs.latest(actor.workspaceId, ids);
        return { status: 200, data: hardeningCenterView(all, latest, clock.now()) };
      },
    }),
  ];
}

function createdView({ site, code }: SiteWithCode, clock: Clock) {
  return { ...siteView(site, clock.now()), activation_code: code };
}

function writeRoutes(needs: SiteNeeds): Route[] {
  const base = { access: 'wordpress:write', tag: TAG } as const;
  const location = ({ _id }: SiteDocument) => `${PATH}/sites/${_id}`;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: `${PATH}/sites`,
      summary: 'Add a WordPress site',
      description:
        'Returns an activation code, which connects the plugin of the site. Returns 409 `conflict` if the address is a site already. The first site of a workspace also creates the alert rule `wordpress_check_failed`.',
      body: CreateSite,
      replies: { 201: CreatedSite },
      errors: ['plan_limit', 'conflict'],
      versioned: true,
      async handle({ actor, body }, tx) {
        const created = await createSite(needs, tx, actor, body);
        const { site } = created;
        return {
          status: 201,
          data: createdView(created, needs.clock),
          location: location(site),
          version: site.version,
        };
      },
    }),
    mutationRoute({
      ...base,
      method: 'POST',
      path: `${PATH}/sites/{id}/activation-code`,
      summary: 'Create another activation code',
      description:
        'The previous code no longer works. A connected plugin stays connected until another one uses the code.',
      params: IdOfSite,
      replies: { 201: CreatedSite },
      errors: ['conflict'],
      versioned: true,
      async handle({ actor, params }, tx) {
        const created = await createActivationCode(needs, tx, actor, params.id);
        const { site } = created;
        return {
          status: 201,
          data: createdView(created, needs.clock),
          location: location(site),
          version: site.version,
        };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/sites/{id}`,
      summary: 'Delete a WordPress site',
      description:
        'Deletes its jobs, and the plugin loses its access. What the plugin has changed on the site stays until the plugin is deactivated there. Supports `If-Match`.',
      params: IdOfSite,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeSite(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}
