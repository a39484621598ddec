import type { Mount } from '../../http/mount.js';
import type { HostIndex } from '../hosts/host-index.js';
import { readHostName } from '../hosts/host-name.js';
import type { PublicPages } from './pages.js';

/**
 * Returns what tells a reverse proxy whether to obtain a certificate for a name, as Caddy asks with `on_demand_tls`: 200 for the
 * verified host name of a page that is served, otherwise 404. It says nothing else, and has the rate limit of API requests without a key.
 */
export function allowedMount({
  hosts,
  pages,
  publicUrl,
}: {
  hosts: HostIndex;
  pages: PublicPages;
  publicUrl: string;
}): Mount {
  return {
    path: '/status-hosts/allowed',
    async handle(ctx) {
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'text/plain';
      const read = readHostName(typeof ctx.query['domain'] === 'string' ? ctx.query['domain'] : '', publicUrl);
      const isAllowed = 'name' in read && (await isServed(read.name));
      ctx.status = isAllowed ? 200 : 404;
      ctx.body = isAllowed ? 'allowed\n' : 'not allowed\n';
    },
  };

  async function isServed(name: string): Promise<boolean> {
    const known = await hosts.find(name);
    if (known?.isVerified !== true) return false;
    const page = await pages.find(known.slug);
    return page?.guard.verified_hosts?.includes(name) === true;
  }
}
