import { canonicalHost, type TargetGuard } from '../../../kernel/target-guard.js';
import { urlRefusal } from '../../../kernel/url-refusal.js';
import type { ForwarderType } from './documents.js';

export type SyslogProtocol = 'tcp' | 'tls' | 'udp';

export type ForwardTarget =
  | { type: 'webhook'; url: string }
  | { type: 'syslog'; protocol: SyslogProtocol; host: string; port: number };

const SYSLOG = /^syslog\+(tcp|tls|udp):\/\/(\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+):(\d{1,5})\/?$/i;
const PORT_MAX = 65_535;

/** Parses a target, without checking whether Picket may connect to it; null if it is invalid. */
export function parseTarget(text: string): ForwardTarget | null {
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? { type: 'webhook', url: text } : null;
  const match = SYSLOG.exec(text);
  if (match === null) return null;
  const [, scheme = '', written = '', digits = ''] = match;
  const host = canonicalHost(written.replace(/^\[|\]$/g, ''));
  const port = Number(digits);
  if (host === null || port < 1 || port > PORT_MAX) return null;
  const protocol = scheme.toLowerCase();
  return protocol === 'tcp' || protocol === 'tls' || protocol === 'udp'
    ? { type: 'syslog', protocol, host, port }
    : null;
}

/** Returns why a target is refused; null if it is accepted. Host names are checked again at each connection. */
export function targetRefusal(text: string, type: ForwarderType, guard: TargetGuard): string | null {
  const target = parseTarget(text);
  if (target === null || target.type !== type) {
    return type === 'webhook'
      ? 'must be an https:// URL'
      : 'must be syslog+tcp://, syslog+tls:// or syslog+udp://host:port';
  }
  if (target.type === 'webhook') {
    const refusal = urlRefusal(target.url, guard);
    if (refusal !== null) return refusal.message;
    // Plain HTTP is only for a receiver on the same machine, so it is accepted where loopback is.
    const isPlain = new URL(target.url).protocol === 'http:';
    return isPlain && guard.refusal('127.0.0.1') !== null ? 'must be an https:// URL' : null;
  }
  const refusal = guard.hostRefusal(target.host);
  return refusal === null ? null : `must not point to ${refusal}`;
}

/** Returns the target for the audit log, without the parts that may contain a secret: query and fragment of a URL. */
export function shownTarget(text: string): string {
  const target = parseTarget(text);
  if (target?.type !== 'webhook') return text;
  const { origin, pathname, search } = new URL(target.url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
