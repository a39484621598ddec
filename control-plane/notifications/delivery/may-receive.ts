import type { ChannelType } from '../channel-configs.js';

/**
 * Returns whether a channel may get messages. `onlyTo` is the address of a person who has not confirmed it: nobody may
 * make Picket write to strangers with an account that belongs to nobody. null: everybody may get them.
 */
export function mayReceive(type: ChannelType, config: unknown, onlyTo: string | null): boolean {
  if (onlyTo === null) return true;
  const to: unknown = type === 'email' ? Object(config).to : null;
  return Array.isArray(to) && to.every((address) => String(address).toLowerCase() === onlyTo);
}
