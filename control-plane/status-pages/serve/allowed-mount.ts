import type { Mount } from '../../http/mount.js';
import type { HostIndex } from '../hosts/host-index.js';
import { isOwnName, readHostName } from '../hosts/host-name.js';
import type { PublicPages } from './pages.js';

/**
 * Returns what tells a reverse proxy whether to obtain a certificate for a name, as Caddy asks with `on_demand_tls`: 200 for the
 * verified host name of a page that is served and for the name of Picket itself, otherwise 404. It says nothing else. It has no rate
 * limit: a proxy asks for everybody who opens a connection with whatever name, and must get an answer for those that are served.
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
    limit: 'none',
    async handle(ctx) {
      ctx.set('Cache-Control', 'no-store');
      ctx.type = 'text/plain';
      const domain = typeof ctx.query['domain'] === 'string' ? ctx.query['domain'] : '';
      const read = readHostName(domain, publicUrl);
      const isAllowed = isOwnName(domain, publicUrl) || ('name' in read && (await isServed(read.name)));
      ctx.status = isAllowed ? 200 : 404;
      ctx.body = isAllowed ? 'allowed\n' : 'not allowed\n';
    },
  };

  async function isServed(name: string): Promise<boolean> {
    const slug = await hosts.find(name);
    const page = slug === null ? null : await pages.find(slug);
    return page?.guard.verified_hosts?.includes(name) === true;
  }
}
