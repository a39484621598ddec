import type { Context } from 'koa';
import type { Mount } from '../../http/mount.js';
import type { HostIndex } from '../hosts/host-index.js';
import { hostNameOfRequest } from '../hosts/host-name.js';
import type { PageLanguage } from '../words/languages.js';
import { addressOfHost } from './addresses.js';
import { LOGO_VIEW } from './logo.js';
import {
  type AskedView,
  FORM_VIEW,
  inLanguage,
  type StatusMountNeeds,
  sendLocked,
  sendNotice,
  servePage,
} from './mount.js';

/** Serves orchestrators under whatever name they use, also while the database is away. */
const LIVENESS_PATH = '/healthz';

export interface HostMountNeeds extends StatusMountNeeds {
  hosts: HostIndex;
}

/** Returns what serves pages under host names of their own. Under such a name there is the page and nothing else of Picket. */
export function hostMount(needs: HostMountNeeds): Mount {
  const nameOf = (ctx: Context) => hostNameOfRequest(ctx.req.headers.host ?? null, needs.publicUrl);
  return {
    path: '/status-host',
    limit: 'none',
    methods: ['POST'],
    async hosts(ctx) {
      const name = nameOf(ctx);
      if (name === null) return false;
      try {
        return (await needs.hosts.find(name)) !== null;
      } catch (error) {
        if (ctx.path === LIVENESS_PATH) return false;
        throw error;
      }
    },
    handle: (ctx) => inLanguage(ctx, (language) => serve(needs, ctx, { name: nameOf(ctx) ?? '', language })),
  };
}

async function serve(
  needs: HostMountNeeds,
  ctx: Context,
  { name, language }: { name: string; language: PageLanguage },
): Promise<void> {
  const asked = askedFor(ctx.path);
  const slug = asked === null ? null : await needs.hosts.find(name);
  const page = slug === null ? null : await needs.pages.find(slug);
  // The page says itself which names it has: meanwhile its slug may be another page's.
  if (asked === null || page === null || !page.guard.verified_hosts?.includes(name)) {
    return sendNotice(ctx, 404, language, 'notFound');
  }
  const address = addressOfHost(name, needs.publicUrl);
  // People log in to Picket under its own name, and their browser sends the cookie nowhere else.
  if (page.guard.visibility === 'members') return sendLocked(ctx, page.guard, { language, address }, false);
  await servePage(needs, ctx, page, { language, asked, address });
}

const VIEWS: ReadonlyMap<string, string> = new Map([
  ['/', ''],
  ['/status.json', '.json'],
  ['/subscribe', FORM_VIEW],
  ['/logo', LOGO_VIEW],
  ['/feed.atom', '/feed.atom'],
  ['/maintenance.ics', '/maintenance.ics'],
  ['/badge.svg', '/badge.svg'],
]);
const COMPONENT_BADGE = /^\/components\/(cmp_[0-9a-z]{26})\/badge\.svg$/;

/** Returns null for a path that is of no page. */
function askedFor(path: string): AskedView | null {
  const view = VIEWS.get(path);
  if (view !== undefined) return { view, componentId: null };
  const [, componentId] = COMPONENT_BADGE.exec(path) ?? [];
  return componentId === undefined ? null : { view: path, componentId };
}
