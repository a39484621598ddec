import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { texts } from '../texts/texts.ts';
import { canaryError, type LocationValues } from './values.ts';

const words = texts.locations.fields;

/** The fields of a location that can change. */
export function LocationFields({ form }: { form: UseFormReturnType<LocationValues> }) {
  return (
    <>
      <TextInput {...{ label: words.city, maxLength: 100, ...form.getInputProps('city') }} />
      <TextInput
        {...{ label: words.region, description: words.regionHelp, maxLength: 100, ...form.getInputProps('region') }}
      />
      <Textarea
        {...{ className: 'operator-code', label: words.canaries, description: words.canariesHelp, rows: 3 }}
        {...form.getInputProps('canary_targets')}
        error={canaryError(form.errors)}
      />
    </>
  );
}
