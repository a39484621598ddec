import { useQuery } from '@tanstack/react-query';
import { texts } from '../../../texts/app/texts.ts';
import { milliseconds } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';
import { channelsQuery } from './channels-query.ts';
import { type HeaderRow, STORED } from './form-values.ts';
import { words } from './texts/texts.ts';

/** Returns a function that shows the value of a field in words; null for values that are words themselves. */
export function useShownValue(): (field: string, value: unknown) => string | null {
  const city = useCity();
  const channels = useQuery(channelsQuery).data ?? [];
  return (field, value) => {
    switch (field) {
      case 'type':
        return texts.watch.types[value as keyof typeof texts.watch.types];
      case 'interval_seconds':
        return texts.seconds(Number(value));
      case 'timeout_ms':
        return milliseconds(Number(value));
      case 'locations':
        return (value as string[]).map(city).join(', ');
      case 'confirmations':
        return value === null ? texts.monitor.majority : null;
      case 'channels':
        return value === null
          ? words.everyChannel
          : (value as string[]).map((id) => channels.find((one) => one.id === id)?.name ?? id).join(', ') || null;
      case 'tags':
        return String(value).split('\n').join(', ') || null;
      case 'http.headers':
        return (value as HeaderRow[]).map(({ name }) => name).join(', ') || null;
      case 'http.body':
        return value === STORED ? words.bodyStored : null;
      default:
        return null;
    }
  };
}
