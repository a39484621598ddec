import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { capital } from '../../texts/format.ts';
import { ACTIONS, actionText } from './actions.ts';
import type { AuditFilter } from './filter.ts';
import { texts } from './texts/texts.ts';

interface FiltersProps {
  filter: AuditFilter;
  choose(filter: AuditFilter): void;
}

/** What the list shows. Every choice is in the URL, so that it can be shared. */
export function Filters({ filter, choose }: FiltersProps) {
  const set = (field: keyof AuditFilter, value: string) => {
    const { [field]: _before, ...others } = filter;
    choose(value === '' ? others : { ...others, [field]: value });
  };
  return (
    <div className="filters audit-filters">
      <Actor key={filter.actor ?? ''} actor={filter.actor ?? ''} choose={(actor) => set('actor', actor)} />
      <NativeSelect
        label={texts.filters.action}
        value={filter.action ?? ''}
        data={[{ value: '', label: texts.filters.anyAction }, ...actionGroups(filter.action)]}
        onChange={({ currentTarget }) => set('action', currentTarget.value)}
      />
      <Day label={texts.filters.from} value={filter.from} choose={(day) => set('from', day)} />
      <Day label={texts.filters.to} value={filter.to} choose={(day) => set('to', day)} />
      {Object.keys(filter).length === 0 ? null : (
        <Button variant="default" onClick={() => choose({})}>
          {texts.clear}
        </Button>
      )}
    </div>
  );
}

/** Takes effect with Enter or when the field is left: a request for each letter would find no actor. */
function Actor({ actor, choose }: { actor: string; choose(actor: string): void }) {
  const [typed, setTyped] = useState(actor);
  const apply = () => {
    if (typed.trim() !== actor) choose(typed.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    <form className="grow" onSubmit={submit}>
      <TextInput
        {...{ label: texts.filters.actor, placeholder: texts.filters.actorPlaceholder, value: typed, maxLength: 320 }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}

function Day({ label, value = '', choose }: { label: string; value?: string | undefined; choose(day: string): void }) {
  return (
    <TextInput type="date" label={label} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)} />
  );
}

/** All actions under the kind of object they are about, and the chosen one if this page does not know it yet. */
function actionGroups(chosen: string | undefined) {
  const { kinds } = texts.words;
  const known: readonly string[] = ACTIONS;
  const all = chosen === undefined || known.includes(chosen) ? known : [...known, chosen];
  const kindOf = (action: string) => action.split('.')[0] ?? '';
  return [...new Set(all.map(kindOf))].map((kind) => ({
    group: capital(kinds[kind] ?? kind),
    items: all
      .filter((action) => kindOf(action) === kind)
      .map((value) => ({ value, label: actionText(value, texts.words) })),
  }));
}
