import { type IncomingHttpHeaders, request } from 'node:http';

/** What a browser keeps and sends: its cookies, and its name. */
export interface Person {
  /** Sends a JSON body with the cookies so far, and keeps the cookies of the answer. Follows no redirects. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<PersonAnswer>;
  /** The value of a cookie; undefined without it. */
  cookie(name: string): string | undefined;
  /** Every cookie value that this person ever had. */
  cookies(): readonly string[];
  /** Keeps a cookie as if a response had set it. */
  keep(name: string, value: string): void;
}

interface PersonAnswer {
  status: number;
  // Tests read answers of many shapes.
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answers.
  body: any;
  headers: IncomingHttpHeaders;
}

export const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * Returns a person with a browser of their own, for an API at `url`. It uses node:http, because `fetch` refuses to send
 * another `Host`.
 */
export function personAt(url: string): Person {
  const jar = new Map<string, string>();
  const had: string[] = [];

  function keep(name: string, value: string): void {
    jar.set(name, value);
    had.push(value);
  }

  function keepAll(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf('='));
      if (attributes.includes('Max-Age=0')) jar.delete(name);
      else keep(name, pair.slice(name.length + 1));
    }
  }

  return {
    send: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const sent = request(`${url}${path}`, {
          method,
          headers: {
            'user-agent': USER_AGENT,
            ...(cookie === '' ? {} : { cookie }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
        });
        sent.on('error', reject);
        sent.on('response', (response) => {
          keepAll(response.headers['set-cookie'] ?? []);
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('error', reject);
          response.on('end', () => {
            const isJson = (response.headers['content-type'] ?? '').includes('json') && text !== '';
            resolve({
              status: response.statusCode ?? 0,
              body: isJson ? JSON.parse(text) : text,
              headers: response.headers,
            });
          });
        });
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    cookie: (name) => jar.get(name),
    cookies: () => had,
    keep,
  };
}
