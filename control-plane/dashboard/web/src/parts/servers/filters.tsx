import { Button, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { SearchField } from '../../components/form/search-field.tsx';
import { type ServerFilter, STATUSES } from './filter.ts';
import { texts } from './texts/texts.ts';

/** The filter is in the URL, so that it can be sent to somebody, and survives a reload. */
export function Filters({ filter }: { filter: ServerFilter }) {
  const navigate = useNavigate();
  const change = (next: Record<string, string | undefined>) => {
    const search = Object.entries({ ...filter, ...next }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/servers', search: Object.fromEntries(search), replace: true });
  };
  return (
    <search className="filters">
      <SearchField label={texts.filter} value={filter.q ?? ''} change={(q) => change({ q })} />
      <SegmentedControl
        {...{ value: filter.status ?? 'all', transitionDuration: 0, 'aria-label': texts.statusFilter }}
        onChange={(value) => change({ status: value === 'all' ? undefined : value })}
        data={['all' as const, ...STATUSES].map((value) => ({
          value,
          label: value === 'all' ? texts.all : texts.statusChoice[value],
        }))}
      />
      {filter.tag === undefined ? null : (
        <p className="tag-filter">
          <bdi className="wrap">{texts.tagged(filter.tag)}</bdi>
          <Button variant="default" size="compact-sm" onClick={() => change({ tag: undefined })}>
            {texts.anyTag}
          </Button>
        </p>
      )}
    </search>
  );
}
