import type { CreateMonitor } from '../../../api/types.ts';

export type MonitorType = CreateMonitor['type'];

/** What can be watched at an address: the kinds that fit, the likeliest first, with the URL of each. */
export interface Suggestion {
  name: string;
  choices: { type: MonitorType; url: string }[];
}

export type SuggestProblem = 'nothing' | 'badPort' | 'badAddress';

const NAME_CHARS_MAX = 200;
const PORT_MAX = 65_535;
/** The port of a URL as it was typed; a URL with a port that is too large is none for the browser. */
const PORT_OF_URL = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i;
const HOST = /^(?=.{1,253}$)(?!-)[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?$/u;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** A path belongs to a web page. */
const HOST_PORT_PATH = /^(\[[^\]/]*\]|[^/:[\]]+):([^/:]*)(\/.*)$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i;

/** Returns what to watch at what somebody typed: a URL, host:port, a host name or an address. Pure. */
export function suggest(typed: string): Suggestion | SuggestProblem {
  const text = typed.trim();
  if (text === '') return 'nothing';
  if (/\s/.test(text)) return 'badAddress';
  if (/^https?:\/\//i.test(text)) return ofUrl(text);
  if (/^tcp:\/\//i.test(text)) return ofHostAndPort(text.slice('tcp://'.length));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return 'badAddress';
  if (IPV6.test(text)) return { name: text, choices: [{ type: 'ping', url: text }] };
  const [, web, port = '', path] = HOST_PORT_PATH.exec(text) ?? [];
  if (web !== undefined) return ofWebPort(web, port, path ?? '/');
  if (/^\[.*\](?::|$)/.test(text) || /^[^/]*:[^/]*$/.test(text)) return ofHostAndPort(text);
  const [host = ''] = text.split('/');
  if (!HOST.test(host)) return 'badAddress';
  if (text.includes('/')) return ofUrl(`https://${text}`);
  return ofHost(host);
}

function ofUrl(text: string): Suggestion | SuggestProblem {
  const written = PORT_OF_URL.exec(text)?.[1];
  if (written !== undefined && !isPort(written)) return 'badPort';
  if (!URL.canParse(text)) return 'badAddress';
  const { hostname, pathname, protocol, port } = new URL(text);
  const path = pathname === '/' ? '' : decoded(pathname);
  const name = `${hostname.replace(/^www\./, '')}${port === '' ? '' : `:${port}`}${path}`.slice(0, NAME_CHARS_MAX);
  const host = hostname.replace(/^\[|\]$/g, '');
  const tcpPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return {
    name,
    choices: [
      { type: 'http', url: text },
      { type: 'tcp', url: `${hostname}:${tcpPort}` },
      { type: 'ping', url: host },
    ],
  };
}

function ofHostAndPort(text: string): Suggestion | SuggestProblem {
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*):?(.*)$/.exec(text) ?? [];
  const bare = host.replace(/^\[|\]$/g, '');
  if (!HOST.test(bare) && !IPV6.test(bare)) return 'badAddress';
  if (!isPort(port)) return 'badPort';
  const web = port === '443' ? `https://${host}/` : `http://${host}:${port}/`;
  const tcp = { type: 'tcp', url: `${host}:${port}` } as const;
  const http = { type: 'http', url: web } as const;
  const isWeb = ['80', '443', '8080', '8443', '3000'].includes(port);
  return {
    name: `${bare}:${port}`,
    choices: [...(isWeb ? [http, tcp] : [tcp, http]), { type: 'ping', url: bare }],
  };
}

function ofWebPort(host: string, port: string, path: string): Suggestion | SuggestProblem {
  const bare = host.replace(/^\[|\]$/g, '');
  if (!HOST.test(bare) && !IPV6.test(bare)) return 'badAddress';
  if (!isPort(port)) return 'badPort';
  return ofUrl(port === '443' ? `https://${host}${path}` : `http://${host}:${port}${path}`);
}

const isPort = (port: string): boolean => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= PORT_MAX;

function ofHost(host: string): Suggestion {
  const http = { type: 'http', url: `https://${host}/` } as const;
  const ping = { type: 'ping', url: host } as const;
  const isMachine = IPV4.test(host) || !host.includes('.');
  return { name: host, choices: isMachine ? [ping, http] : [http, ping] };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
