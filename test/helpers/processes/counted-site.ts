import { createServer } from 'node:http';

/** One request as the site saw it. */
export interface SeenRequest {
  path: string;
  /** Location code out of the probe's User-Agent. */
  location: string;
  atMs: number;
}

/** A site that notes every request, and can be told to fail, for all or for one location only. */
export interface CountedSite {
  url: string;
  seen: SeenRequest[];
  /** Which requests get a 500 from now on. */
  failWhen(failing: (request: SeenRequest) => boolean): void;
  close(): Promise<void>;
}

export async function countedSite(): Promise<CountedSite> {
  const seen: SeenRequest[] = [];
  let failing: (request: SeenRequest) => boolean = () => false;
  const server = createServer((request, response) => {
    const location = /; ([a-z0-9]+)\)/.exec(request.headers['user-agent'] ?? '')?.[1] ?? 'unknown';
    const entry = { path: request.url ?? '', location, atMs: Date.now() };
    seen.push(entry);
    response.writeHead(failing(entry) ? 500 : 200, { 'content-type': 'text/plain' });
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    seen,
    failWhen(next) {
      failing = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
