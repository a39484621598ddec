import Koa from 'koa';
import { serveMounts } from '../../../control-plane/http/mount.js';
import type { PageModel } from '../../../control-plane/status-pages/compile/model.js';
import type { Gate, GuardedPage } from '../../../control-plane/status-pages/serve/gate.js';
import { statusMount } from '../../../control-plane/status-pages/serve/mount.js';

/** Serves pages of these models as the control plane does, by their slugs. Those of `locked` need a password. */
export async function servePages(models: Readonly<Record<string, PageModel>>, locked: readonly string[] = []) {
  const guardOf = (slug: string): GuardedPage & { groups: [] } => ({
    _id: slug,
    workspace_id: 'ws',
    slug,
    password_hash: null,
    groups: [],
    visibility: locked.includes(slug) ? 'password' : 'public',
  });
  const gate: Gate = { admits: async (_ctx, { visibility }) => visibility === 'public', unlock: async () => false };
  const pages = {
    async find(slug: string) {
      const model = models[slug];
      return model === undefined ? null : { guard: guardOf(slug), model: { ...model, slug }, rendered: new Map() };
    },
  };
  const logos = { find: async () => null };
  const needs = { pages, gate, logos, form: null, publicUrl: 'http://picket.test' };
  const app = new Koa().use(serveMounts([statusMount(needs)]));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}/status`, close: () => server.close() };
}
