import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the registry answers about a domain: a date of expiry, anything, or nothing while it hangs. */
export type RdapReply =
  | 'hang'
  | { expires: string }
  | { status: number; headers?: Record<string, string>; body?: string };

/** A registry on loopback that speaks RDAP, with IANA's list of servers. */
export interface RdapServer {
  /** The address of the list. */
  bootstrapUrl: string;
  /** By the name of the domain; others are not registered. */
  domains: Map<string, RdapReply>;
  /** By suffix, what the list names. */
  suffixes: Map<string, string>;
  /** The names that were asked for, in order. */
  asked: string[];
  /** How often the list was downloaded. */
  lists(): number;
  /** Replaces the body of the list; null: that of `suffixes`. */
  setList(reply: { status: number; body: string } | null): void;
  /** Paths of other requests. */
  others: string[];
  port: number;
  stop(): Promise<void>;
}

/** Returns an answer as registries give it: with a registrar, and a registrant whose data is redacted. */
export function domainAnswer(name: string, expires: string | null, more: object = {}): string {
  const expiration = expires === null ? [] : [{ eventAction: 'expiration', eventDate: expires }];
  return JSON.stringify({
    objectClassName: 'domain',
    ldhName: name.toUpperCase(),
    status: ['client transfer prohibited'],
    events: [{ eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' }, ...expiration],
    entities: [
      {
        objectClassName: 'entity',
        roles: ['registrant'],
        vcardArray: ['vcard', [['version', {}, 'text', '4.0']]],
        remarks: [{ title: 'REDACTED FOR PRIVACY', type: 'object redacted due to authorization' }],
      },
      {
        objectClassName: 'entity',
        roles: ['registrar'],
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Example Registrar'],
          ],
        ],
      },
    ],
    redacted: [{ name: { description: 'Registrant Name' }, method: 'removal' }],
    ...more,
  });
}

export async function startRdapServer(): Promise<RdapServer> {
  const domains = new Map<string, RdapReply>();
  const suffixes = new Map<string, string>();
  const [asked, others]: string[][] = [[], []];
  let lists = 0;
  let list: { status: number; body: string } | null = null;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/dns.json') {
      lists++;
      const body = JSON.stringify({
        version: '1.0',
        services: [...suffixes].map(([suffix, url]) => [[suffix], [url]]),
      });
      response.writeHead(list?.status ?? 200, { 'content-type': 'application/json' }).end(list?.body ?? body);
      return;
    }
    const [, name] = /^\/[a-z.0-9-]+\/domain\/(.+)$/.exec(path) ?? [];
    if (name === undefined) {
      others?.push(path);
      response.writeHead(404).end();
      return;
    }
    asked?.push(name);
    answer(response, name, domains.get(name));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    bootstrapUrl: `http://127.0.0.1:${port}/dns.json`,
    ...{ domains, suffixes, asked: asked ?? [], others: others ?? [], port },
    lists: () => lists,
    setList(reply) {
      list = reply;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, name: string, reply: RdapReply | undefined): void {
  if (reply === 'hang') return;
  if (reply === undefined) {
    response.writeHead(404, { 'content-type': 'application/rdap+json' }).end('{"errorCode":404}');
    return;
  }
  const { status, headers, body } =
    'expires' in reply ? { status: 200, headers: {}, body: domainAnswer(name, reply.expires) } : reply;
  response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers }).end(body ?? '');
}
