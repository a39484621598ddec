import { isIPv4, isIPv6 } from 'node:net';
import { actionTitle } from '../../../wording.js';
import type { AuditSeverity } from '../../audit.js';
import type { AuditEntry } from '../../schema.js';
import { SIGNAL_EVENTS, SIGNAL_NAMES } from '../delivery/message.js';
import type { Format } from './interface.js';
import { jsonLine } from './json.js';

const SEVERITY: Record<AuditSeverity, number> = { info: 3, warning: 6, critical: 9 };
const SIGNAL_SEVERITY = 0;

/** CEF has no escape for C0 controls and DEL, and many readers stop at a NUL: they become their visible symbols. */
const CONTROL_PICTURES = 0x2400;
const LONE_SURROGATE = /\p{Surrogate}/gu;
const DEL = 0x7f;
const DEL_PICTURE = '\u2421';

/** ArcSight Common Event Format, version 0 (implementation standard, revision 25). */
export const cefFormat: Format = {
  entry(entry, { version, sequence }) {
    return line(
      version,
      entry.action,
      actionTitle(entry.action),
      SEVERITY[entry.severity],
      entryFields(entry, sequence),
    );
  },
  signal(signal, version) {
    return line(version, SIGNAL_EVENTS[signal.kind], SIGNAL_NAMES[signal.kind], SIGNAL_SEVERITY, [
      ['rt', String(signal.atMs)],
      ['cn1', String(signal.sequence)],
      ['cn1Label', 'sequence'],
      ['cs1', signal.forwarderId],
      ['cs1Label', 'forwarder'],
      ['cs4', signal.workspaceId],
      ['cs4Label', 'workspace'],
    ]);
  },
};

type Field = [key: string, value: string | null];

function entryFields(entry: AuditEntry, sequence: number): Field[] {
  const { actor, resource } = entry;
  const ip = actor.ip ?? '';
  return [
    ['rt', String(Date.parse(entry.timestamp))],
    ['externalId', entry.id],
    ['cn1', String(sequence)],
    ['cn1Label', 'sequence'],
    ['act', entry.action],
    ['suid', actor.id],
    ['suser', actor.email],
    ['src', isIPv4(ip) ? ip : null],
    ['c6a2', isIPv6(ip) ? ip : null],
    ['c6a2Label', isIPv6(ip) ? 'Source IPv6 Address' : null],
    ['cs1', resource.type],
    ['cs1Label', 'resourceType'],
    ['cs2', resource.id],
    ['cs2Label', 'resourceId'],
    ['cs3', resource.name],
    ['cs3Label', 'resourceName'],
    ['cs4', entry.workspace_id],
    ['cs4Label', 'workspace'],
    ['cs5', entry.request_id],
    ['cs5Label', 'requestId'],
    ['cs6', jsonLine(entry.metadata)],
    ['cs6Label', 'metadata'],
    ['flexString1', entry.hash],
    ['flexString1Label', entry.hash === null ? null : 'hash'],
    ['flexString2', actor.api_key?.id ?? null],
    ['flexString2Label', actor.api_key === undefined ? null : 'apiKey'],
  ];
}

function line(version: string, id: string, name: string, severity: number, fields: Field[]): string {
  const header = ['CEF:0', 'Picket', 'Picket', headerText(version), headerText(id), headerText(name), String(severity)];
  const extension = fields.flatMap(([key, value]) => (value === null ? [] : [`${key}=${extensionText(value)}`]));
  return `${header.join('|')}|${extension.join(' ')}`;
}

function headerText(text: string): string {
  return visible(text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' '));
}

function extensionText(text: string): string {
  return visible(text.replace(/[\\=]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')).replace(
    LONE_SURROGATE,
    '\ufffd',
  );
}

function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  return text.replace(/[\u0000-\u001f\u007f]/g, (char) => {
    const code = char.charCodeAt(0);
    return code === DEL ? DEL_PICTURE : String.fromCharCode(CONTROL_PICTURES + code);
  });
}
