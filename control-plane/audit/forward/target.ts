import { canonicalHost, type TargetGuard } from '../../../kernel/guard/target-guard.js';
import { urlRefusal } from '../../../kernel/guard/url-refusal.js';
import { shownReceiver } from '../../../kernel/urls/shown-url.js';
import type { FieldErrorCode } from '../../errors.js';
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

interface Refusal {
  message: string;
  code: FieldErrorCode;
}

const WEBHOOK_FORM = 'an https:// URL';
const SYSLOG_FORM = 'syslog+tcp://, syslog+tls:// or syslog+udp://host:port';
const FORMS = { webhook: WEBHOOK_FORM, syslog: SYSLOG_FORM } as const;

/**
 * Returns a target, or why it is refused. The scheme decides the type; a `type` refuses targets of the other one. Host
 * names are checked again at each connection.
 */
export function checkTarget(
  text: string,
  type: ForwarderType | null,
  guard: TargetGuard,
): { target: ForwardTarget; refusal: null } | { target: null; refusal: Refusal } {
  const target = parseTarget(text);
  if (target === null || (type !== null && target.type !== type)) {
    const form = type === null ? `${WEBHOOK_FORM}, or ${SYSLOG_FORM}` : FORMS[type];
    return { target: null, refusal: { message: `must be ${form}`, code: 'forward_target' } };
  }
  const refusal = target.type === 'webhook' ? webhookRefusal(target.url, guard) : syslogRefusal(target.host, guard);
  return refusal === null ? { target, refusal } : { target: null, refusal };
}

function webhookRefusal(url: string, guard: TargetGuard): Refusal | null {
  const refusal = urlRefusal(url, guard);
  if (refusal !== null) {
    const code = refusal.code === 'blocked_target' ? 'private_address' : 'forward_target';
    return { message: refusal.message, code };
  }
  // Plain HTTP is only for a receiver on the same machine, so it is accepted where loopback is.
  const isPlain = new URL(url).protocol === 'http:';
  const isRefused = isPlain && guard.refusal('127.0.0.1') !== null;
  return isRefused ? { message: `must be ${WEBHOOK_FORM}`, code: 'forward_target' } : null;
}

function syslogRefusal(host: string, guard: TargetGuard): Refusal | null {
  const refusal = guard.hostRefusal(host);
  if (refusal === null) return null;
  return { message: `must not point to a blocked address: ${refusal}`, code: 'private_address' };
}

/** Returns the target as those see it who may not change it, and the audit log. The address of a syslog server is no secret. */
export function shownTarget(text: string): string {
  return parseTarget(text)?.type === 'webhook' ? shownReceiver(text) : text;
}
