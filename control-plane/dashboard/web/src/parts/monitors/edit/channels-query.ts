import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../api/read.ts';
import type { Channel, Page } from '../../../api/types.ts';

const CHANNELS_MAX = 200;

/** The channels that a monitor can notify. */
export const channelsQuery = queryOptions({
  queryKey: ['channels', 'to choose from'],
  queryFn: async ({ signal }) =>
    (await read<Page<Channel>>('/v1/channels', { limit: String(CHANNELS_MAX) }, signal)).data,
});
