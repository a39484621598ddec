import { createServer } from 'node:http';
import type { Test } from 'tap';
import { type FakeControlPlane, fakeControlPlane } from '../node-link/fake-control-plane.js';
import { type NodeProcess, startNodeProcess } from '../processes/node-process.js';

interface Site {
  url: string;
  /** Requests by path. */
  seen: Map<string, number>;
  total(): number;
  /** How many requests were not answered yet when the last but one arrived: a check may not have stored these yet. */
  underWay(): number;
}

/** A site that counts requests by path and answers each after `delayMs`. */
export async function site(t: Test, delayMs = 0): Promise<Site> {
  const seen = new Map<string, number>();
  const requests: { arrivedAt: number; answeredAt: number }[] = [];
  /** The number of arrivals and answers so far, which are in this order. */
  let events = 0;
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    seen.set(path, (seen.get(path) ?? 0) + 1);
    const request = { arrivedAt: ++events, answeredAt: Number.POSITIVE_INFINITY };
    requests.push(request);
    setTimeout(() => {
      request.answeredAt = ++events;
      response.writeHead(path.startsWith('/down') ? 500 : 200).end('hello');
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    total: () => requests.length,
    underWay() {
      const lastButOneAt = requests.at(-2)?.arrivedAt ?? 0;
      return requests.filter(({ answeredAt }) => answeredAt > lastButOneAt).length;
    },
  };
}

/** An http monitor as a probe gets it: each second, one quick retry. */
export function http(id: string, url: string, overrides: object = {}) {
  return {
    monitorId: id,
    version: 1,
    type: 'http',
    url,
    intervalSeconds: 1,
    phaseMs: 0,
    timeoutMs: 2000,
    retries: 1,
    retryDelayMs: 100,
    http: { method: 'GET', expectedStatus: 200, followRedirects: true },
    ...overrides,
  };
}

/** A fake control plane that knows one join secret, `secret`. */
export async function plane(t: Test, options: Parameters<typeof fakeControlPlane>[0] = {}): Promise<FakeControlPlane> {
  const started = await fakeControlPlane(options);
  started.script.secrets.add('secret');
  t.teardown(() => started.kill());
  return started;
}

/** A probe process that does not outlive the test. */
export function probe(t: Test, args: string[], env: Record<string, string> = {}): NodeProcess {
  const started = startNodeProcess('probe/main.js', args, env);
  t.teardown(() => started.kill('SIGKILL'));
  return started;
}
