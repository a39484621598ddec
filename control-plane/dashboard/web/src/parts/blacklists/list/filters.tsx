import { ListFilters } from '../../../components/form/list-filters.tsx';
import { capital } from '../../../texts/format.ts';
import { type BlacklistFilter, STATUSES } from '../filter.ts';
import { texts } from '../texts/texts.ts';

export function Filters({ filter }: { filter: BlacklistFilter }) {
  return (
    <ListFilters
      {...{ to: '/blacklists', filter, label: texts.filter, statusLabel: texts.statusFilter }}
      statuses={['all' as const, ...STATUSES].map((value) => ({
        value,
        label: value === 'all' ? texts.all : capital(texts.status[value]),
      }))}
    />
  );
}
