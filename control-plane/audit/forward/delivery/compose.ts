import type { AuditDocument } from '../../documents.js';
import { entryOf } from '../../entry.js';
import type { AuditEntry } from '../../schema.js';
import type { ForwarderDocument } from '../documents.js';
import { wants } from '../filter.js';
import { FORMATS } from '../formats/all.js';
import { type ForwardMessage, SIGNAL_EVENTS } from './message.js';

/** The short form truncates longer texts, so that every format fits a datagram of 2,048 bytes. */
const SHORT_CHARS_MAX = 28;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A position of a forwarder in the chain. */
export interface Position {
  id: string;
  at_ms: number | null;
  sequence: number;
}

/** Returns the messages for the entries that the forwarder's filter includes, and the position after the last entry. */
export function composeEntries(
  forwarder: Pick<ForwarderDocument, 'format' | 'severities'>,
  entries: readonly AuditDocument[],
  from: Position,
  version: string,
): { messages: ForwardMessage[]; to: Position } {
  const format = FORMATS[forwarder.format];
  const messages: ForwardMessage[] = [];
  let { sequence } = from;
  for (const document of entries) {
    if (!wants(forwarder.severities, document.severity)) continue;
    sequence += 1;
    const entry = entryOf(document);
    const context = { version, sequence };
    messages.push({
      kind: 'entry',
      id: entry.id,
      event: entry.action,
      severity: document.severity,
      atMs: document.at_ms,
      sequence,
      body: format.entry(entry, context),
      shortBody: () => format.entry(shortened(entry), context),
    });
  }
  const last = entries.at(-1);
  return { messages, to: last === undefined ? from : { id: last._id, at_ms: last.at_ms, sequence } };
}

/** Returns the message of a heartbeat or a test. */
export function composeSignal(
  kind: 'heartbeat' | 'test',
  forwarder: Pick<ForwarderDocument, '_id' | 'workspace_id' | 'format'>,
  at: { atMs: number; sequence: number },
  version: string,
): ForwardMessage {
  const about = { kind, ...at, forwarderId: forwarder._id, workspaceId: forwarder.workspace_id };
  const body = FORMATS[forwarder.format].signal(about, version);
  return { kind, id: null, event: SIGNAL_EVENTS[kind], severity: 'info', ...at, body, shortBody: () => body };
}

function shortened(entry: AuditEntry): AuditEntry {
  const { actor, resource } = entry;
  const { api_key: key } = actor;
  return {
    ...entry,
    actor: {
      ...{ ...actor, email: short(actor.email) },
      ...(key === undefined ? {} : { api_key: { id: key.id, name: short(key.name) } }),
    },
    resource: { ...resource, name: short(resource.name) },
    metadata: { omitted: true },
  };
}

function short(text: string): string {
  return text.length <= SHORT_CHARS_MAX ? text : `${text.slice(0, SHORT_CHARS_MAX).replace(LONE_SURROGATE, '\ufffd')}…`;
}
