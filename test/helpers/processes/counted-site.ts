import { createServer } from 'node:http';

/** A request that the site received. */
export interface SeenRequest {
  path: string;
  /** The location code in the User-Agent of the probe. */
  location: string;
  atMs: number;
}

/** A site that keeps every request, and can fail for all or some of them. */
export interface CountedSite {
  url: string;
  seen: SeenRequest[];
  /** Sets which later requests get a 500 response. */
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
