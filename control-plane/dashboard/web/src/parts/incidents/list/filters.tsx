import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import type { IncidentFilter } from '../../../api/queries.ts';
import { useTyped } from '../../../components/form/use-typed.ts';
import { texts as app } from '../../../texts/app/texts.ts';
import { texts } from '../texts/texts.ts';
import { compactFilter, KINDS, SEVERITIES, STATUSES } from './search.ts';

/** The list is read again after this time without a key. */
const TYPING_MS = 250;

interface FiltersProps {
  filter: IncidentFilter;
  show(filter: IncidentFilter): void;
}

/** The filter is in the address, so that it can be shared, and survives a reload. */
export function Filters({ filter, show }: FiltersProps) {
  const change = (part: { [Name in keyof IncidentFilter]?: string | undefined }) =>
    show(compactFilter({ ...filter, ...part } as IncidentFilter));
  const [typed, setTyped] = useTyped(filter.q ?? '', (q) => show(compactFilter({ ...filter, q })), TYPING_MS);
  return (
    <search className="filters">
      <TextInput
        {...{ className: 'grow', type: 'search', value: typed, maxLength: 200 }}
        {...{ placeholder: texts.text, 'aria-label': texts.text }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <SegmentedControl
        {...{ value: filter.status ?? 'all', transitionDuration: 0, 'aria-label': app.incidents.filter }}
        onChange={(value) => change({ status: value === 'all' ? undefined : value })}
        data={(['all', ...STATUSES] as const).map((value) => ({ value, label: app.incidents[value] }))}
      />
      <NativeSelect
        {...{ label: texts.severity, value: filter.severity ?? '' }}
        data={[anything, ...SEVERITIES.map((value) => ({ value, label: texts.severities[value] }))]}
        onChange={({ currentTarget }) => change({ severity: currentTarget.value })}
      />
      <NativeSelect
        {...{ label: texts.kind, value: filter.kind ?? '' }}
        data={[anything, ...KINDS.map((value) => ({ value, label: texts.kinds[value] ?? value }))]}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value })}
      />
    </search>
  );
}

const anything = { value: '', label: texts.any };
