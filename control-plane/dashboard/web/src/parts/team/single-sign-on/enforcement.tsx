import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Check } from '../../../components/form/check.tsx';
import { membersQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import type { ProviderInput } from './input.ts';

/** Whether there is another way in, and the owner who keeps one. */
export function Enforcement({ form }: { form: UseFormReturnType<ProviderInput> }) {
  const owners = useQuery(membersQuery).data?.rows.filter(({ role }) => role === 'owner') ?? [];
  const words = texts.sso;
  return (
    <>
      <Check
        {...{ name: 'enforced', label: words.enforce, help: words.enforceHelp, isOn: form.values.enforced }}
        change={(isOn) => form.setFieldValue('enforced', isOn)}
      />
      {form.values.enforced ? (
        <NativeSelect
          label={words.breakGlass}
          description={words.breakGlassHelp}
          data={[{ value: '', label: words.choose }, ...owners.map(({ id, email }) => ({ value: id, label: email }))]}
          {...form.getInputProps('break_glass_user_id')}
        />
      ) : null}
    </>
  );
}
