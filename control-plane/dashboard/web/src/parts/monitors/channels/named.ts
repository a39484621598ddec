import type { Channel } from '../../../api/types.ts';

/** The channels that a monitor names. */
export interface NamedChannels {
  /** null: every channel. */
  names: readonly string[] | null;
  /** Ids of channels that exist no more. */
  deleted: readonly string[];
}

/** Returns the channels that a monitor names. Deleted ones stay in its settings until somebody removes them. Pure. */
export function namedChannels(
  ids: readonly string[] | null,
  channels: readonly Pick<Channel, 'id' | 'name'>[],
): NamedChannels {
  if (ids === null) return { names: null, deleted: [] };
  const known = new Map(channels.map(({ id, name }) => [id, name]));
  return {
    names: ids.flatMap((id) => known.get(id) ?? []),
    deleted: ids.filter((id) => !known.has(id)),
  };
}
