import type { Context } from 'koa';
import t from 'tap';
import { loggedPath, serveMounts } from '../../../control-plane/http/mount.js';

/** Serves a path with these mounts, and returns what logs have of it. */
async function logged(path: string): Promise<string> {
  const handle = () => {};
  const mounts = [
    { path: '/ping', below: true, secret: true as const, handle },
    { path: '/install', below: true, handle },
  ];
  const ctx = { path, method: 'GET', state: {} } as unknown as Context;
  await serveMounts(mounts)(ctx, async () => {});
  return loggedPath(ctx);
}

t.test('no log has a path that is a secret', async (t) => {
  t.equal(await logged('/ping/the-secret-token/start'), '/ping/***');
  t.equal(await logged('/install/agent.sh'), '/install/agent.sh');
  t.equal(await logged('/v1/monitors'), '/v1/monitors', 'what no mount serves');
});
