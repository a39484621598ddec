import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { channelsQuery } from '../edit/channels-query.ts';
import { useCity } from '../location-list.tsx';
import type { Names } from './change-words.ts';
import { texts } from './texts/texts.ts';

/** Returns the names of channels and locations. A channel that was deleted has none. */
export function useNames(): Names {
  const location = useCity();
  const channels = useQuery(channelsQuery).data;
  return useMemo(
    () => ({
      location,
      channel: (id) =>
        channels === undefined ? id : (channels.find((one) => one.id === id)?.name ?? texts.values.deletedChannel),
    }),
    [location, channels],
  );
}
