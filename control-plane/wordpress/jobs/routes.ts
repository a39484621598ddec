import { Type } from 'typebox';
import { mutationRoute, type Route } from '../../http/route.js';
import type { SiteNeeds } from '../needs.js';
import { CheckOfSite, Consent, Job, PluginOfSite, SiteIdOfPath } from '../schema.js';
import { jobView } from '../view.js';
import { queueAllFixes, queueFix, queueUndo } from './queue.js';
import { queuePluginChange } from './queue-plugin.js';

const PATH = '/api/v1/wp/admin/{siteId}';

/** Returns the routes that make a site harder, and undo it. */
export function createJobRoutes(needs: SiteNeeds): Route[] {
  return [...hardeningRoutes(needs), ...pluginRoutes(needs)];
}

function hardeningRoutes(needs: SiteNeeds): Route[] {
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

function pluginRoutes(needs: SiteNeeds): Route[] {
  const base = { method: 'POST', access: 'wordpress:write', tag: 'WordPress', params: PluginOfSite } as const;
  const common = { ...base, replies: { 202: Job }, errors: ['conflict'] } as const;
  return [
    mutationRoute({
      ...common,
      path: `${PATH}/plugins/{slug}/update`,
      summary: 'Queue the update of a vulnerable plugin',
      description:
        'Installs the version that WordPress offers, after its folder was copied, and puts the copy back if a page of the site is an error page then. Returns 409 `conflict` if Picket knows no vulnerability of the plugin, another change of a plugin is open, or Picket Bridge is not connected.',
      body: Consent,
      async handle({ actor, params }, tx) {
        return {
          status: 202,
          data: jobView(await queuePluginChange(needs, tx, actor, { ...params, kind: 'update_plugin' })),
        };
      },
    }),
    mutationRoute({
      ...common,
      path: `${PATH}/plugins/{slug}/deactivate`,
      summary: 'Queue the deactivation of a vulnerable plugin',
      description:
        'Activates the plugin again if a page of the site is an error page then. Its files can still be requested, so the check goes on failing. Returns 409 `conflict` as the update does.',
      body: Consent,
      async handle({ actor, params }, tx) {
        return {
          status: 202,
          data: jobView(await queuePluginChange(needs, tx, actor, { ...params, kind: 'deactivate_plugin' })),
        };
      },
    }),
    mutationRoute({
      ...common,
      path: `${PATH}/plugins/{slug}/restore`,
      summary: 'Queue the putting back of a plugin',
      description:
        'Puts the version from before the update back, within 24 hours, or activates a plugin that Picket has deactivated. Returns 409 `conflict` if there is nothing to put back.',
      async handle({ actor, params }, tx) {
        return {
          status: 202,
          data: jobView(await queuePluginChange(needs, tx, actor, { ...params, kind: 'restore_plugin' })),
        };
      },
    }),
  ];
}
