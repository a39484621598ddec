import { Button, NativeSelect, TextInput } from '@mantine/core';
import { memo, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from '../../../components/use-media.ts';
import { texts as app } from '../../../texts/app/texts.ts';
import { capital } from '../../../texts/format.ts';
import { type ListSearch, SORTS, STATUSES, TYPES } from './search.ts';
import { texts } from './texts/texts.ts';

interface TextFilterProps {
  /** What is typed; the address follows. */
  typed: string;
  /** The same function each time. */
  type(text: string): void;
}

/** Every key filters at once. The field keeps its text itself, so that a key does not draw it again. */
export function TextFilter({ typed, type }: TextFilterProps) {
  const input = useRef<HTMLInputElement>(null);
  const [first] = useState(typed);
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== typed) input.current.value = typed;
  }, [typed]);
  return <TextField {...{ input, first, type }} />;
}

interface TextFieldProps {
  input: RefObject<HTMLInputElement | null>;
  first: string;
  type(text: string): void;
}

const TextField = memo(function TextField({ input, first, type }: TextFieldProps) {
  return (
    <TextInput
      {...{ ref: input, className: 'grow', type: 'search', defaultValue: first, maxLength: 200 }}
      {...{ placeholder: texts.filter, 'aria-label': texts.filter, 'aria-keyshortcuts': '/' }}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
});

const PHONE = '(max-width: 767px)';

interface ChoicesProps extends FieldsProps {
  /** The saved views, which stand beside. */
  views: ReactNode;
}

/** The other parts of the filter, and how the list is shown. They do not change while one types. Phones show them on demand. */
export const Choices = memo(function Choices({ views, ...fields }: ChoicesProps) {
  const isPhone = useMedia(PHONE);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { q: _text, ...chosen } = fields.search;
  if (!isPhone) {
    return (
      <>
        <Fields {...fields} />
        {views}
      </>
    );
  }
  return (
    <>
      <Button
        {...{ variant: 'default', className: 'grow', 'aria-expanded': isOpen, 'aria-controls': id }}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.choices(Object.keys(chosen).length)}
      </Button>
      {views}
      <div id={id} className="choices-panel" hidden={!isOpen}>
        {isOpen ? <Fields {...fields} /> : null}
      </div>
    </>
  );
});

interface FieldsProps {
  search: ListSearch;
  /** All tags of the workspace. */
  tags: readonly string[];
  choose(change: { [Name in keyof ListSearch]?: string | undefined }): void;
}

function Fields({ search, tags, choose }: FieldsProps) {
  const any = (label: string) => ({ value: '', label });
  return (
    <div className="choices">
      <Choice
        label={texts.status}
        value={search.status}
        options={[
          any(texts.any.status),
          ...STATUSES.map((value) => ({ value, label: capital(app.overview.counts[value]) })),
        ]}
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
}

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
