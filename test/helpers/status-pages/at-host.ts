import { request } from 'node:http';

/** An answer to a request with a `Host` header of its own, which `fetch` does not send. */
export interface HostAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request to a port of this machine. `host` is sent as it is; null: no such header. */
export function atHost(
  port: number,
  host: string | null,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<HostAnswer> {
  return new Promise((resolve, reject) => {
    const own = host === null ? {} : { host };
    const sent = request({ host: '127.0.0.1', port, path, method, setHost: false, headers: { ...own, ...headers } });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.end(body);
  });
}
