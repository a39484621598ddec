import { NativeSelect, TextInput } from '@mantine/core';
import { memo } from 'react';
import { texts as app } from '../../../texts/app/texts.ts';
import { capital } from '../../../texts/format.ts';
import { type ListSearch, SORTS, STATUSES, TYPES } from './search.ts';
import { texts } from './texts/texts.ts';

interface FiltersProps {
  /** What is typed; the address follows. */
  typed: string;
  type(text: string): void;
}

/** Every key filters at once. */
export function TextFilter({ typed, type }: FiltersProps) {
  return (
    <TextInput
      {...{ className: 'grow', type: 'search', value: typed, maxLength: 200, 'aria-keyshortcuts': '/' }}
      {...{ placeholder: texts.filter, 'aria-label': texts.filter }}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

interface ChoicesProps {
  search: ListSearch;
  /** All tags of the workspace. */
  tags: readonly string[];
  choose(change: { [Name in keyof ListSearch]?: string | undefined }): void;
}

/** The other parts of the filter, and how the list is shown. They do not change while one types. */
export const Choices = memo(function Choices({ search, tags, choose }: ChoicesProps) {
  const any = (label: string) => ({ value: '', label });
  return (
    <div className="choices">
      <Choice
        label={texts.status}
        value={search.status}
        options={[any(texts.any.status), ...STATUSES.map((value) => ({ value, label: capital(app.status[value]) }))]}
        choose={(status) => choose({ status })}
      />
      {tags.length === 0 && search.tag === undefined ? null : (
        <Choice
          label={texts.tag}
          value={search.tag}
          options={[any(texts.any.tag), ...tagOptions(tags, search.tag)]}
          choose={(tag) => choose({ tag })}
        />
      )}
      <Choice
        label={texts.type}
        value={search.type}
        options={[any(texts.any.type), ...TYPES.map((value) => ({ value, label: texts.types[value] }))]}
        choose={(type) => choose({ type })}
      />
      <Choice
        label={texts.sort}
        value={search.sort}
        options={SORTS.map((sort) => ({ value: sort === 'worst' ? '' : sort, label: texts.sorts[sort] }))}
        choose={(sort) => choose({ sort })}
      />
      {tags.length === 0 && search.group === undefined ? null : (
        <Choice
          label={texts.group}
          value={search.group}
          options={[
            { value: '', label: texts.groups.none },
            { value: 'tag', label: texts.groups.tag },
          ]}
          choose={(group) => choose({ group })}
        />
      )}
      <Choice
        label={texts.window}
        value={search.window}
        options={[
          { value: '', label: texts.windows['24h'] },
          { value: '30d', label: texts.windows['30d'] },
        ]}
        choose={(window) => choose({ window })}
      />
    </div>
  );
});

/** A tag of the address may belong to no monitor any more. */
function tagOptions(tags: readonly string[], chosen: string | undefined) {
  const shown = chosen === undefined || tags.includes(chosen) ? tags : [...tags, chosen];
  return shown.map((tag) => ({ value: tag, label: tag }));
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: { value: string; label: string }[];
  /** Undefined for the usual. */
  choose(value: string | undefined): void;
}

function Choice({ label, value = '', options, choose }: ChoiceProps) {
  return (
    <NativeSelect
      {...{ 'aria-label': label, value, data: options, className: 'choice' }}
      onChange={({ currentTarget }) => choose(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}
