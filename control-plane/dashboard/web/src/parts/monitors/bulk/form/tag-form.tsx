import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Check } from '../../../../components/form/check.tsx';
import { tagsOf } from '../../../../components/form/tags.ts';
import { texts as app } from '../../../../texts/app/texts.ts';
import { texts } from '../texts/texts.ts';
import { type Operation, TAGS_CHARS_MAX } from './order.ts';
import { TagChoices } from './tag-choices.tsx';

const WAYS = ['add_tags', 'remove_tags', 'replace', 'none'] as const;
/** What becomes of the tags of the monitors. */
type Way = (typeof WAYS)[number];

interface TagFormProps {
  choose(operation: Operation): void;
  cancel(): void;
}

/** What becomes of tags: some are added or removed and the others stay, or all are replaced. */
export function TagForm({ choose, cancel }: TagFormProps) {
  const [way, setWay] = useState<Way>('add_tags');
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const type = (next: string) => {
    setText(next);
    setMissing(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const tags = tagsOf(text);
    if (way === 'none') choose({ operation: 'set', set: { tags: [] } });
    else if (tags.length === 0) setMissing(true);
    else if (way === 'replace') choose({ operation: 'set', set: { tags } });
    else choose({ operation: way, tags });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextInput
        {...{ name: 'tags', label: texts.form.tags, value: text, autoFocus: true, maxLength: TAGS_CHARS_MAX }}
        disabled={way === 'none'}
        error={isMissing ? texts.form.tagsMissing : null}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {way === 'none' ? null : <TagChoices {...{ text, type }} />}
      <div>
        {WAYS.map((one) => (
          <Check
            {...{ key: one, type: 'radio', name: 'operation', isOn: way === one }}
            change={() => {
              setWay(one);
              setMissing(false);
            }}
            label={texts.form.tagWays[one]}
          />
        ))}
      </div>
      <div className="page-actions">
        <Button type="submit">{texts.form.next}</Button>
        <Button variant="default" onClick={cancel}>
          {app.dialog.cancel}
        </Button>
      </div>
    </form>
  );
}
