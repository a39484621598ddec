import { useQuery } from '@tanstack/react-query';
import { texts } from '../../../texts/app/texts.ts';
import { list } from '../../../texts/format.ts';
import { channelsQuery } from '../edit/channels-query.ts';
import { words } from '../monitor/texts/texts.ts';
import { namedChannels } from './named.ts';

/** The channels that a monitor notifies, by name once they are read. */
export function Notifies({ ids }: { ids: readonly string[] | null }) {
  const channels = useQuery({ ...channelsQuery, enabled: (ids?.length ?? 0) > 0 }).data;
  if (ids === null) return texts.monitor.allChannels;
  if (ids.length === 0) return words.channels.nobody;
  if (channels === undefined) return texts.monitor.channelCount(ids.length);
  const { names, deleted } = namedChannels(ids, channels);
  const shown = [...(names ?? []), ...(deleted.length === 0 ? [] : [words.channels.gone(deleted.length)])];
  return <bdi>{list(shown)}</bdi>;
}
