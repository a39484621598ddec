import type { Static } from 'typebox';
import { shortName } from '../wording.js';
import type { Detached, Ended } from './references.js';
import type { DetachedReferences } from './schema.js';

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
