import type { AlertRule, Channel, Monitor } from '../../api/types.ts';

type Notifying = Pick<Monitor | AlertRule, 'channels' | 'name'>;

/**
 * Returns the names of the monitors or alert rules that would notify nobody without this channel: those that name no other channel
 * that exists and is enabled, and, if it is the last enabled one, those that notify all channels.
 */
export function silentWithout(
  channel: Channel,
  channels: readonly Channel[],
  monitors: readonly Notifying[],
): string[] {
  if (!channel.enabled) return [];
  const others = new Set(channels.filter(({ id, enabled }) => enabled && id !== channel.id).map(({ id }) => id));
  const isSilent = ({ channels: named }: Notifying) =>
    named === null ? others.size === 0 : named.includes(channel.id) && !named.some((id) => others.has(id));
  return monitors.filter(isSilent).map(({ name }) => name);
}

/** Returns the names of the monitors or alert rules that name this channel and would go on without it. */
export function goingOnWithout(
  channel: Channel,
  channels: readonly Channel[],
  monitors: readonly Notifying[],
): string[] {
  const silent = new Set(silentWithout(channel, channels, monitors));
  const naming = monitors.filter(({ channels: named }) => named?.includes(channel.id) === true);
  return naming.map(({ name }) => name).filter((name) => !silent.has(name));
}
