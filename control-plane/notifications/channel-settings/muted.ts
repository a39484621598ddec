import type { Actor } from '../../actor.js';
import { mutedMetadata } from '../../references/ended.js';
import type { References, Referrer } from '../../references/references.js';
import type { Transaction } from '../../storage/transaction.js';
import { count, shortName } from '../../wording.js';
import type { ChannelDocument } from '../documents.js';
import type { ChannelStore } from './store.js';

/** Names in one warning. */
const NAMES_MAX = 20;

const TYPES: Record<Referrer['type'], string> = {
  monitor: 'monitor',
  alert_rule: 'alert rule',
  incident: 'incident',
  maintenance_window: 'maintenance window',
  dependency: 'dependency',
  status_page: 'status page',
  report_schedule: 'report schedule',
};

/** What notifies nobody while a channel is off. */
export interface Muted {
  /** What names the channel, and no other one that is on. */
  total: number;
  /** The first of them. */
  items: readonly Referrer[];
  /** The same, without those that the actor may not read. */
  readable: readonly Referrer[];
  /** No channel of the workspace is on, so what has every channel notifies nobody either. */
  noChannelIsOn: boolean;
}

export const NOTHING_MUTED: Muted = { total: 0, items: [], readable: [], noChannelIsOn: false };

export interface MutedNeeds {
  store: Pick<ChannelStore, 'enabled'>;
  references: Pick<References, 'alone'>;
}

/** Reads what notifies nobody while the channel is off. Call it after the channel was disabled. */
export async function mutedBy(
  { store, references }: MutedNeeds,
  tx: Transaction,
  actor: Actor,
  { _id, workspace_id }: Pick<ChannelDocument, '_id' | 'workspace_id'>,
): Promise<Muted> {
  const enabled = await store.enabled(tx, [workspace_id], null);
  const on = enabled.map((channel) => channel._id).filter((id) => id !== _id);
  return { ...(await references.alone(tx, actor, 'channel', _id, on)), noChannelIsOn: on.length === 0 };
}

/** Returns what the audit entry says of it; nothing if everything still notifies somebody. Pure. */
export function mutedInAudit({ total, items, noChannelIsOn }: Muted): Record<string, unknown> {
  return { ...(total === 0 ? {} : mutedMetadata(total, items)), ...(noChannelIsOn ? { no_channel_on: true } : {}) };
}

/** Returns the same for the person who has disabled the channel. Pure. */
export function mutedWarnings({ total, readable, noChannelIsOn }: Muted): string[] {
  const named = readable.slice(0, NAMES_MAX).map(({ type, name }) => `${TYPES[type]} “${shortName(name)}”`);
  const more = named.length < total ? [`${total - named.length} more`] : [];
  const names = named.length === 0 ? '' : `: ${[...named, ...more].join(', ')}`;
  return [
    ...(noChannelIsOn ? ['No channel of this workspace is on, so nobody is notified of any incident.'] : []),
    ...(total === 0 ? [] : [`Without this channel, ${count(total, 'thing')} will notify nobody${names}.`]),
  ];
}
