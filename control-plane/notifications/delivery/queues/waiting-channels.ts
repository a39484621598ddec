import type { Pace, Place } from './places.js';

/** A channel that is or may be served. */
export interface ChannelOfWorkspace {
  channelId: string;
  workspaceId: string;
}

/** Channels that wait for a place and compete equally: of one workspace, and as prompt as each other. In their order. */
interface WaitingGroup extends Place {
  /** Each with the concurrency that it had. */
  channels: Map<string, number>;
}

/** The channels that wait for a place. In groups, because there may be many channels of few workspaces. */
export interface WaitingChannels {
  add(channel: ChannelOfWorkspace, pace: Pace, concurrency: number): void;
  has(channelId: string): boolean;
  groups(): Iterable<WaitingGroup>;
  /** Removes the first channel of the group. The group is then behind the others. */
  takeFirst(group: WaitingGroup): { channelId: string; concurrency: number } | null;
  isEmpty(): boolean;
  clear(): void;
}

export function createWaitingChannels(): WaitingChannels {
  const groups = new Map<string, WaitingGroup>();
  const ids = new Set<string>();
  const keyOf = ({ workspaceId, pace }: Place) => `${pace}:${workspaceId}`;
  return {
    add({ channelId, workspaceId }, pace, concurrency) {
      const key = keyOf({ workspaceId, pace });
      const group = groups.get(key) ?? { workspaceId, pace, channels: new Map<string, number>() };
      groups.set(key, group);
      group.channels.set(channelId, concurrency);
      ids.add(channelId);
    },
    has: (channelId) => ids.has(channelId),
    groups: () => groups.values(),
    takeFirst(group) {
      const [first] = group.channels;
      if (first === undefined) return null;
      const [channelId, concurrency] = first;
      group.channels.delete(channelId);
      ids.delete(channelId);
      groups.delete(keyOf(group));
      if (group.channels.size > 0) groups.set(keyOf(group), group);
      return { channelId, concurrency };
    },
    isEmpty: () => ids.size === 0,
    clear() {
      groups.clear();
      ids.clear();
    },
  };
}
