import type { Test } from 'tap';
import { startWorkspaceInBrowser } from '../workspace-in-browser.js';
import { allRoutes, pathOf } from './crawl.js';
import { fillHostile } from './hostile-workspace.js';
import { offeredBy } from './offered.js';

/** Buttons for everybody: they change what the page shows, or belong to the own account. */
const FOR_EVERYBODY = new Set([
  ...['Clear the filter', 'Copy', 'Export', 'Show as table', 'Show as chart', 'Show older entries', 'Show processes'],
  ...['Uptime 24 h', 'Show the score over time', 'Show older results', 'Show password', 'Try other settings', 'Views'],
  ...['Add passkey', 'Change address', 'Change password', 'Delete account', 'End', 'End all others', 'Set up an app'],
]);
/** Pages that do not exist for people who do not run the installation. */
const NOT_FOR_ADMINS = [
  ...['/settings/health', '/settings/locations', '/settings/probes', '/settings/workspaces'],
  ...['/settings/workspaces/$id', '/settings/$', '/$'],
];
/** Pages of which a role sees only that it may not, and why. */
const NOT_FOR_MEMBERS = [
  ...NOT_FOR_ADMINS,
  ...['/settings/api-keys', '/settings/api-keys/new', '/settings/alert-rules/new', '/settings/single-sign-on'],
];
const NOT_FOR_VIEWERS = [
  ...NOT_FOR_MEMBERS,
  ...['/blacklists/check', '/blacklists/new', '/monitors/$id/edit', '/monitors/new', '/monitors/new/lines'],
  ...[
    '/backup-jobs/new',
    '/email-domains/new',
    '/maintenance/new',
    '/reports/schedules/new',
    '/servers/new',
    '/settings/channels/new',
    '/wordpress/new',
  ],
  ...['/status-pages/new', '/status-pages/$pageId/edit', '/status-pages/$pageId/incidents/new'],
];
/** Pages whose objects an admin cannot manage, because they are the owner's. */
const READ_ONLY_FOR_ADMINS = ['/settings/billing', '/settings/single-sign-on'];
/** Pages whose objects a member cannot manage. */
const READ_ONLY_FOR_MEMBERS = [
  ...READ_ONLY_FOR_ADMINS,
  ...['/settings/team', '/settings/workspace', '/settings/forwarders'],
  ...['/settings/alert-rules', '/settings/alert-rules/$ruleId'],
];
/** What only owners do, on pages with buttons for others. */
const OF_OWNERS = /^(?:Delete workspace|Restore workspace|Change to|Buy)/;

type Visiting = 'viewer' | 'member' | 'admin';
const NOT_FOR: Record<Visiting, string[]> = {
  viewer: NOT_FOR_VIEWERS,
  member: NOT_FOR_MEMBERS,
  admin: NOT_FOR_ADMINS,
};

/** What else a role may do on a page. To choose a file, a logo or monitors to import, has no text. */
const ALSO: Record<Visiting, Record<string, string[]>> = {
  viewer: { '/settings/team': ['Leave'], '/reports/new': ['', 'Create report'] },
  member: { '/settings/team': ['Leave'], '/settings/workspace': [''] },
  admin: {},
};

/** Opens every page as somebody of this role. Nobody is offered what their role does not include. */
export async function crawlAs(t: Test, role: Visiting): Promise<void> {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const ids = await fillHostile(world);
  // The admins of the first workspace would be operators.
  const workspaces = world.mongo.db.collection('workspaces');
  await workspaces.updateMany({}, { $unset: { operates_installation: 1 } });
  const notAllowed = NOT_FOR[role];
  const dead = new Set(notAllowed.map((route) => (route.endsWith('/$') ? '' : pathOf(route, ids))));
  const somebody = await world.openAs(role);
  await somebody.goto('/no/such/page');
  const refusals: string[] = [];
  for (const route of await allRoutes(somebody.page)) {
    const { links, buttons, refused, isRefusal } = await offeredBy(somebody, pathOf(route, ids));
    if (isRefusal) refusals.push(route);
    t.same(refused, [], `nothing on ${route} was refused`);
    const leadNowhere = links.filter((link) => dead.has(link));
    t.same(leadNowhere, [], `no link on ${route} leads to a page that is not for this role`);
    const readOnly = role === 'admin' ? READ_ONLY_FOR_ADMINS : READ_ONLY_FOR_MEMBERS;
    const isReadOnly = role === 'viewer' || isRefusal || readOnly.includes(route);
    const changing = buttons.filter((name) => !FOR_EVERYBODY.has(name));
    t.same(
      buttons.filter((name) => OF_OWNERS.test(name)),
      [],
      `${route} offers nothing that only owners may do`,
    );
    if (isReadOnly) t.same(changing, ALSO[role][route] ?? [], `${route} offers nothing that changes the workspace`);
  }
  t.same(refusals.sort(), [...notAllowed].sort(), 'these pages say that they are not for this role');
  t.same(somebody.complaints, []);
}
