import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { firingQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import type { Monitor, Page } from '../../api/types.ts';
import { PARTS } from '../parts.ts';
import type { Entry } from './match.ts';

/** Something that the palette can open. */
export interface Found extends Entry {
  /** Shown behind the label. */
  detail: string;
  run(): void;
}

/** A page of an object. */
export type FoundPage = Omit<Found, 'run'> & { to: string };

const ROWS = 6;
const TYPING_MS = 150;
const FRESH_MS = 10_000;
/** As long as the API takes. */
const TYPED_CHARS_MAX = 200;

/** Returns monitors and servers whose name or address contains the text, and the incidents that fire. */
export function useFound(typed: string) {
  const text = useLater(typed.trim().slice(0, TYPED_CHARS_MAX));
  const hasServers = PARTS.some(({ nav }) => nav?.to === '/servers');
  const monitors = useQuery({ ...searchQuery<Monitor>('monitors', text), enabled: text !== '' });
  const servers = useQuery({
    ...searchQuery<{ id: string; name: string; hostname?: string | null }>('servers', text),
    enabled: text !== '' && hasServers,
  });
  const firing = useQuery(firingQuery);
  const shown = text === '' ? null : text;
  // The API also finds by what is not shown, such as an address.
  const foundBy = ({ isPlaceholderData }: { isPlaceholderData: boolean }) => (isPlaceholderData ? '' : text);
  return {
    isSearching: text !== typed.trim() || monitors.isFetching || servers.isFetching,
    isFailed: monitors.isError || servers.isError,
    incidents: (firing.data?.data ?? []).map(
      ({ id, monitor_name, resource, message }): FoundPage => ({
        ...{ id, label: monitor_name ?? resource.name, keywords: message, detail: message, to: `/incidents/${id}` },
      }),
    ),
    monitors: (shown === null ? [] : (monitors.data?.data ?? [])).map(
      ({ id, name, url }): FoundPage => ({
        ...{ id, label: name, keywords: `${url} ${foundBy(monitors)}`, detail: url, to: `/monitors/${id}` },
      }),
    ),
    servers: (shown === null ? [] : (servers.data?.data ?? [])).map(
      ({ id, name, hostname }): FoundPage => ({
        ...{ id, label: name, keywords: `${hostname ?? ''} ${foundBy(servers)}`, detail: hostname ?? '' },
        to: `/servers/${id}`,
      }),
    ),
  };
}

const searchQuery = <Row>(kind: 'monitors' | 'servers', q: string) => ({
  queryKey: [kind, 'palette', q],
  queryFn: ({ signal }: { signal: AbortSignal }) => read<Page<Row>>(`/v1/${kind}`, { q, limit: String(ROWS) }, signal),
  placeholderData: keepPreviousData<Page<Row>>,
  staleTime: FRESH_MS,
});

/** Returns the text when nothing was typed for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), text === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
