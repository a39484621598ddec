import type { Static } from 'typebox';
import { shortName } from '../wording.js';
import type { Detached, Ended } from './references.js';
import type { DetachedReferences, MutedChannels } from './schema.js';

/** What a deletion answers: 204 if nothing named what it deleted. */
export type DeletionReply = { status: 204 } | { status: 200; data: Static<typeof DetachedReferences> };

/** What notifies nobody any more. */
interface Muted {
  type: Detached['type'] | 'channel';
  id: string;
  name: string;
}

/** Names in one audit entry. Each document that the deletion changed has an entry of its own. */
const NAMES_MAX = 20;

/** `muted` are those of the detached documents that notify nobody any more. Pure. */
export function deletionReply({ detached, shown }: Ended, muted: readonly Detached[]): DeletionReply {
  if (detached.length === 0) return { status: 204 };
  return { status: 200, data: { detached: shown(detached), notify_nobody: shown(muted) } };
}

/** Returns what the audit entry of the deletion says of the documents that named it; nothing if none did. Pure. */
export function endedMetadata({ detached }: Ended, muted: readonly Detached[]): Record<string, unknown> {
  if (detached.length === 0) return {};
  return {
    detached: detached.length,
    ...mutedMetadata(muted.length, muted),
  };
}

/** Returns what an audit entry says of what notifies nobody any more: how many things, and the first of them. Pure. */
export function mutedMetadata(total: number, named: readonly Muted[]): Record<string, unknown> {
  const notify_nobody_names = named
    .slice(0, NAMES_MAX)
    .map(({ type, id, name }) => ({ type, id, name: shortName(name) }));
  return { notify_nobody: total, ...(total === 0 ? {} : { notify_nobody_names }) };
}

/** Returns what several workspaces say of what notifies nobody any more, as one. Pure. */
export function mutedTogether(all: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const replies = all.map(mutedReply).flatMap((reply) => (reply.status === 200 ? [reply.data.notify_nobody] : []));
  if (replies.length === 0) return {};
  const total = replies.reduce((sum, one) => sum + one.total, 0);
  return { notify_nobody: total, notify_nobody_names: replies.flatMap(({ items }) => items).slice(0, NAMES_MAX) };
}

/** What a change answers that ends the alerts of an address: 204 if no channel reaches nobody because of it. */
export type MutedReply = { status: 204 } | { status: 200; data: Static<typeof MutedChannels> };

/** `notify_nobody` and its names are as `mutedMetadata` returns them. Pure. */
export function mutedReply(ended: Readonly<Record<string, unknown>>): MutedReply {
  const { notify_nobody: total = 0, notify_nobody_names: items = [] } = ended as Partial<{
    notify_nobody: number;
    notify_nobody_names: Muted[];
  }>;
  return total === 0 ? { status: 204 } : { status: 200, data: { notify_nobody: { total, items } } };
}
