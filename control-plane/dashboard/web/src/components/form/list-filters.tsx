import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SearchField } from './search-field.tsx';

type Search = Record<string, string | undefined>;

interface ListFiltersProps {
  /** The path of the list. */
  to: string;
  /** As in the URL; `q` is the text, and `status` one of the choices. */
  filter: { q?: string; status?: string };
  label: string;
  statusLabel: string;
  /** The choices of the status with their words; `all` is none. */
  statuses: readonly { value: string; label: string }[];
  /** What else the list can be filtered by. */
  children?(change: (next: Search) => void): ReactNode;
}

/** The filter of a list by text and status. It is in the URL, so that it can be shared, and survives a reload. */
export function ListFilters({ to, filter, label, statusLabel, statuses, children }: ListFiltersProps) {
  const navigate = useNavigate();
  const change = (next: Search) => {
    const search = Object.entries({ ...filter, ...next }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to, search: Object.fromEntries(search), replace: true });
  };
  return (
    <search className="filters">
      <SearchField label={label} value={filter.q ?? ''} change={(q) => change({ q })} />
      <SegmentedControl
        {...{ value: filter.status ?? 'all', transitionDuration: 0, 'aria-label': statusLabel }}
        onChange={(value) => change({ status: value === 'all' ? undefined : value })}
        data={[...statuses]}
      />
      {children?.(change)}
    </search>
  );
}
