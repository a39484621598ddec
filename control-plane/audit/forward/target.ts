import { urlRefusal } from '../../../kernel/guarded-fetch.js';
import { canonicalHost, type TargetGuard } from '../../../kernel/target-guard.js';
import type { ForwarderType } from './documents.js';

export type SyslogProtocol = 'tcp' | 'tls' | 'udp';

export type ForwardTarget =
  | { type: 'webhook'; url: string }
  | { type: 'syslog'; protocol: SyslogProtocol; host: string; port: number };

const SYSLOG = /^syslog\+(tcp|tls|udp):\/\/(\[[0-9a-f:.]+\]|[^\s/?#@:[\]]+):(\d{1,5})\/?$/i;
const PORT_MAX = 65_535;

/** What a target says, without asking whether it may be reached; null when it says nothing. */
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

/** Why a target is refused when it is given; null when it may be tried. Its names are judged at each connection. */
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
    // Plain HTTP is for a receiver on one's own machine, so it goes where that may be reached.
    const isPlain = new URL(target.url).protocol === 'http:';
    return isPlain && guard.refusal('127.0.0.1') !== null ? 'must be an https:// URL' : null;
  }
  const refusal = guard.hostRefusal(target.host);
  return refusal === null ? null : `must not point to ${refusal}`;
}

/** The target without what may hold a secret: query and fragment of a URL. For the audit log. */
export function shownTarget(text: string): string {
  const target = parseTarget(text);
  if (target?.type !== 'webhook') return text;
  const { origin, pathname, search } = new URL(target.url);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}
