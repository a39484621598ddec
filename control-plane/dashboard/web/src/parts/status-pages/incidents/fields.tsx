import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { StatusPage } from '../../../api/types.ts';
import { Choices } from '../../../components/form/choices.tsx';
import { texts } from '../texts/texts.ts';
import { type AboutInput, choicesOf, IMPACTS, STATES, type UpdateInput } from './input.ts';

const TITLE_CHARS_MAX = 150;
export const TEXT_CHARS_MAX = 4_000;

type FormOf<Values> = UseFormReturnType<Values>;

/** State and text: what visitors read next. */
export function UpdateFields<Values extends UpdateInput>({ form }: { form: FormOf<Values> }) {
  const words = texts.incidents;
  return (
    <>
      <NativeSelect
        label={words.state}
        data={STATES.map((value) => ({ value, label: words.states[value] }))}
        {...form.getInputProps('state')}
      />
      <Textarea
        label={words.text}
        description={words.textHelp}
        {...{ rows: 4, maxLength: TEXT_CHARS_MAX }}
        {...form.getInputProps('text')}
      />
    </>
  );
}

export function TitleField<Values extends AboutInput>({ form }: { form: FormOf<Values> }) {
  return <TextInput label={texts.incidents.name} maxLength={TITLE_CHARS_MAX} {...form.getInputProps('title')} />;
}

/** The components that an incident affects, and the state that they have on the page meanwhile. */
export function AffectedFields<Values extends AboutInput>({ form, page }: { form: FormOf<Values>; page: StatusPage }) {
  const words = texts.incidents;
  const chosen = form.values.component_ids;
  const choices = choicesOf(page);
  const choose = (component_ids: readonly string[]) => form.setValues({ component_ids } as Partial<Values>);
  return (
    <>
      <Choices
        label={words.affected}
        isLabelShown
        className="status-choices"
        options={choices}
        chosen={chosen}
        change={choose}
      />
      <NativeSelect
        label={words.impact}
        description={words.impactHelp}
        data={IMPACTS.map((value) => ({ value, label: words.impacts[value] }))}
        {...form.getInputProps('impact')}
      />
    </>
  );
}
