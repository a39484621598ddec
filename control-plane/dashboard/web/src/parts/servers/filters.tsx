import { Button } from '@mantine/core';
import { ListFilters } from '../../components/form/list-filters.tsx';
import { type ServerFilter, STATUSES } from './filter.ts';
import { texts } from './texts/texts.ts';

export function Filters({ filter }: { filter: ServerFilter }) {
  return (
    <ListFilters
      {...{ to: '/servers', filter, label: texts.filter, statusLabel: texts.statusFilter }}
      statuses={['all' as const, ...STATUSES].map((value) => ({
        value,
        label: value === 'all' ? texts.all : texts.statusChoice[value],
      }))}
    >
      {(change) =>
        filter.tag === undefined ? null : (
          <p className="tag-filter">
            <bdi className="wrap">{texts.tagged(filter.tag)}</bdi>
            <Button variant="default" size="compact-sm" onClick={() => change({ tag: undefined })}>
              {texts.anyTag}
            </Button>
          </p>
        )
      }
    </ListFilters>
  );
}
