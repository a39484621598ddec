import { toIso } from '../../../../kernel/clock.js';
import type { AuditSeverity } from '../../audit.js';
import type { ForwardMessage } from '../delivery/message.js';

/** Facility 13, "log audit". */
const FACILITY = 13;
const SEVERITY: Record<AuditSeverity, number> = { critical: 2, warning: 4, info: 6 };
const APP_NAME = 'picket';
/** 32473 is the enterprise number that RFC 5612 reserves for documentation; Picket has not registered one. */
const SD_ID = 'picket@32473';
const MSGID_CHARS_MAX = 32;
const HOSTNAME_CHARS_MAX = 255;

export interface FrameContext {
  /** The host name of this installation. */
  hostname: string;
  workspaceId: string;
  forwarderId: string;
}

/**
 * Returns an RFC 5424 message. Its text is UTF-8 without a byte order mark, which the RFC allows as MSG-ANY: JSON and
 * CEF parsers after a receiver fail on the mark.
 */
export function syslogMessage(message: ForwardMessage, context: FrameContext): string {
  const { kind, id, event, severity, atMs, sequence, body } = message;
  const parameters = [
    ['kind', kind],
    ['id', id],
    ['sequence', String(sequence)],
    ['workspace', context.workspaceId],
    ['forwarder', context.forwarderId],
  ].flatMap(([name, value]) => (typeof value === 'string' ? [` ${name}="${sdValue(value)}"`] : []));
  const head = [
    `<${FACILITY * 8 + SEVERITY[severity]}>1`,
    toIso(atMs),
    headerText(context.hostname, HOSTNAME_CHARS_MAX),
    APP_NAME,
    '-',
    headerText(event, MSGID_CHARS_MAX),
    `[${SD_ID}${parameters.join('')}]`,
  ];
  return `${head.join(' ')} ${body}`;
}

/** Returns a message with RFC 6587 octet counting: its length in bytes comes first. */
export function octetCounted(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}

/** Returns a valid RFC 5424 header field: printable ASCII without spaces, and `-` if nothing is left. */
function headerText(text: string, charsMax: number): string {
  const kept = text.replace(/[^!-~]/g, '').slice(0, charsMax);
  return kept === '' ? '-' : kept;
}

function sdValue(text: string): string {
  return text.replace(/["\\\]]/g, '\\$&');
}
