import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Check } from '../../../components/form/check.tsx';
import { type Operation, tagsOf } from './order.ts';
import { texts } from './texts/texts.ts';

const OPERATIONS = ['add_tags', 'remove_tags'] as const;
/** Twenty tags with the longest names. */
const TEXT_CHARS_MAX = 1_050;

/** The tags to add or to remove; the other tags of the monitors stay. */
export function TagForm({ choose }: { choose(operation: Operation): void }) {
  const [operation, setOperation] = useState<(typeof OPERATIONS)[number]>('add_tags');
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const tags = tagsOf(text);
    if (tags.length === 0) setMissing(true);
    else choose({ operation, tags });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextInput
        {...{ name: 'tags', label: texts.form.tags, value: text, autoFocus: true, maxLength: TEXT_CHARS_MAX }}
        error={isMissing ? texts.form.tagsMissing : null}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setMissing(false);
        }}
      />
      <div>
        {OPERATIONS.map((one) => (
          <Check
            {...{ key: one, type: 'radio', name: 'operation', isOn: operation === one }}
            change={() => setOperation(one)}
            label={one === 'add_tags' ? texts.form.addTags : texts.form.removeTags}
          />
        ))}
      </div>
      <div className="page-actions">
        <Button type="submit">{texts.form.next}</Button>
      </div>
    </form>
  );
}
