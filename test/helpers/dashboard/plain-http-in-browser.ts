import type { Test } from 'tap';
import { freePort } from '../machine/ports.js';
import { tcpProxy } from '../machine/tcp-proxy.js';
import { type PlaneInBrowser, type PlaneOptions, startPlaneInBrowser } from './plane-in-browser.js';

/** For browsers, addresses of this machine are as secure as https, and have all that plain http lacks. */
const HOST = 'picket.test';

/** A control plane that the browser reaches on plain http, as a machine in an office, and through a proxy. */
export interface OnPlainHttp extends PlaneInBrowser {
  proxy: Awaited<ReturnType<typeof tcpProxy>>;
  /** For `logIn`. */
  at: { url: string; dataDir: string };
}

export async function startOnPlainHttp(
  t: Pick<Test, 'teardown'>,
  options: Pick<PlaneOptions, 'mongo' | 'databaseUri'> = {},
): Promise<OnPlainHttp> {
  const port = await freePort();
  const proxy = await tcpProxy(port);
  t.teardown(() => proxy.close());
  const url = `http://${HOST}:${proxy.port}`;
  const started = await startPlaneInBrowser(t, {
    ...options,
    settings: { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: url },
    args: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  });
  return { ...started, proxy, at: { url, dataDir: started.plane.dataDir } };
}
