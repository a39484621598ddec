import { isIP } from 'node:net';
import { canonicalHost, type TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { FieldErrorCode } from '../../errors.js';
import type { MonitorType } from '../schema.js';

/** A parsed target. Probes receive `canonical`, so that they do not have to parse the target again. */
export interface Target {
  /** Lower case, punycoded, IPv4 as dotted decimals, IPv6 without brackets. */
  host: string;
  /** null for ping. */
  port: number | null;
  /** http: the URL unchanged. tcp: `host:port`. ping: the host. */
  canonical: string;
}

/** A target that may be checked, or what is wrong with it: a message that follows the name of the field. */
export type ParsedTarget = { ok: true; target: Target } | { ok: false; message: string; code: FieldErrorCode };

const HOST_CHARS_MAX = 253;
const LABEL_CHARS_MAX = 63;
const PORT_MAX = 65_535;
const HTTP_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

/** Control characters, white space and backslashes: the URL parser would drop or rewrite them silently. */
const FORBIDDEN_CHARS = /[\s\\\p{Cc}]/u;
const HOST_AND_PORT = /^(?:tcp:\/\/)?(\[[^\]]*\]|[^:]*):(\d{1,5})$/iu;

/** Parses `url` as the target of a monitor of `type`. The guard decides whether a literal address is allowed. */
export function parseTarget(type: MonitorType, url: string, guard: TargetGuard): ParsedTarget {
  if (FORBIDDEN_CHARS.test(url))
    return { ok: false, message: 'must not contain spaces, backslashes or control characters', code: 'spaces' };
  const parsed = PARSERS[type](url);
  if (!parsed.ok) return parsed;
  const refusal = guard.hostRefusal(parsed.target.host);
  if (refusal === null) return parsed;
  return { ok: false, message: `must not be a private or reserved address: ${refusal}`, code: 'private_address' };
}

/** Returns the host of a stored target; null for one that no version would store. */
export function targetHost(type: MonitorType, url: string): string | null {
  const parsed = PARSERS[type](url);
  return parsed.ok ? parsed.target.host : null;
}

const PARSERS: Record<MonitorType, (url: string) => ParsedTarget> = { http: parseHttp, tcp: parseTcp, ping: parsePing };

function parseHttp(text: string): ParsedTarget {
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) {
    return { ok: false, message: 'must be an absolute http or https URL', code: 'web_address' };
  }
  const url = new URL(text);
  const host = hostOf(url.hostname);
  if (host === null) return { ok: false, message: 'must have a valid host name or address', code: 'host' };
  const port = url.port === '' ? (HTTP_PORTS[url.protocol] ?? 0) : Number(url.port);
  if (port === 0) return { ok: false, message: `must have a port from 1 to ${PORT_MAX}`, code: 'port' };
  return { ok: true, target: { host, port, canonical: text } };
}

function parseTcp(text: string): ParsedTarget {
  const [, hostText, portText] = HOST_AND_PORT.exec(text) ?? [];
  if (hostText === undefined || portText === undefined) {
    return {
      ok: false,
      message: 'must be host:port or tcp://host:port, with an IPv6 address in brackets',
      code: 'host_and_port',
    };
  }
  const host = hostOf(hostText);
  if (host === null || (hostText.startsWith('[') && isIP(host) !== 6)) {
    return { ok: false, message: 'must have a valid host name or address', code: 'host' };
  }
  const port = Number(portText);
  if (port < 1 || port > PORT_MAX)
    return { ok: false, message: `must have a port from 1 to ${PORT_MAX}`, code: 'port' };
  return { ok: true, target: { host, port, canonical: `${isIP(host) === 6 ? `[${host}]` : host}:${port}` } };
}

function parsePing(text: string): ParsedTarget {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const host = text !== bare && isIP(bare) !== 6 ? null : hostOf(bare);
  if (host === null)
    return { ok: false, message: 'must be a host name or an address, without a scheme, port or path', code: 'host' };
  return { ok: true, target: { host, port: null, canonical: host } };
}

/** Returns the canonical form of a host, checked against the limits of DNS; null when it is not a host. */
function hostOf(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) === 0 && /[:/?#@%[\]]/.test(text)) return null;
  const host = canonicalHost(text);
  if (host === null || isIP(host) !== 0) return host;
  if (host.length > HOST_CHARS_MAX + (host.endsWith('.') ? 1 : 0)) return null;
  const labels = host.replace(/\.$/, '').split('.');
  return labels.every((label) => label.length > 0 && label.length <= LABEL_CHARS_MAX) ? host : null;
}

/** Whether checks of this target receive a certificate. */
export function isHttps(type: MonitorType, url: string): boolean {
  return type === 'http' && /^https:/i.test(url);
}
