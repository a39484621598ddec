import { Type } from 'typebox';
import { mutationRoute, type Route } from '../../http/route.js';
import type { SiteNeeds } from '../needs.js';
import { CheckOfSite, Job, SiteIdOfPath } from '../schema.js';
import { jobView } from '../view.js';
import { queueAllFixes, queueFix, queueUndo } from './queue.js';

const PATH = '/api/v1/wp/admin/{siteId}';

/** Returns the routes that make a site harder, and undo it. */
export function createJobRoutes(needs: SiteNeeds): Route[] {
  const base = { method: 'POST', access: 'wordpress:write', tag: 'WordPress' } as const;
  return [
    mutationRoute({
      ...base,
      path: `${PATH}/harden-all`,
      summary: 'Queue the fixes of all checks that do not pass',
      description:
        'Only checks with an automatic fix. A check whose job is open returns that job. Returns 409 `conflict` if the plugin is not connected.',
      params: SiteIdOfPath,
      replies: { 202: Type.Array(Job) },
      errors: ['conflict'],
      async handle({ actor, params }, tx) {
        const queued = await queueAllFixes(needs, tx, actor, params.siteId);
        return { status: 202, data: queued.map(jobView) };
      },
    }),
    mutationRoute({
      ...base,
      path: `${PATH}/harden/{check}`,
      summary: 'Queue the fix of a check',
      description:
        'While its job is open, a second call returns the same job. Returns 409 `no_automatic_fix` for a check without one, and 409 `conflict` if the plugin is not connected or the fix is being undone.',
      params: CheckOfSite,
      replies: { 202: Job },
      errors: ['conflict', 'no_automatic_fix'],
      async handle({ actor, params }, tx) {
        return { status: 202, data: jobView(await queueFix(needs, tx, actor, params)) };
      },
    }),
    mutationRoute({
      ...base,
      path: `${PATH}/undo/{check}`,
      summary: 'Queue the undoing of a fix',
      description:
        'Removes what the plugin has added for the check. Returns 409 `conflict` if there is nothing of Picket on the site.',
      params: CheckOfSite,
      replies: { 202: Job },
      errors: ['conflict', 'no_automatic_fix'],
      async handle({ actor, params }, tx) {
        return { status: 202, data: jobView(await queueUndo(needs, tx, actor, params)) };
      },
    }),
  ];
}
