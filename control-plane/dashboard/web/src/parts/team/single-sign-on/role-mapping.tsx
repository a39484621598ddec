import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Check } from '../../../components/form/check.tsx';
import { ROLES } from '../rights.ts';
import { texts } from '../texts/texts.ts';
import type { ProviderInput } from './input.ts';

/** Which value of the claim gives which role. */
export function RoleMapping({ form }: { form: UseFormReturnType<ProviderInput> }) {
  const words = texts.sso;
  const roles = ROLES.map((value) => ({ value, label: texts.roles[value] }));
  return (
    <fieldset className="form-choices">
      <legend>{words.mapping}</legend>
      {form.values.mapping.map((_, place) => (
        // The rows have no identity of their own, and each shows what the form has at its place.
        <div key={String(place)} className="sso-mapping">
          <TextInput aria-label={words.claimValue} {...form.getInputProps(`mapping.${place}.value`)} />
          <NativeSelect aria-label={texts.role} data={roles} {...form.getInputProps(`mapping.${place}.role`)} />
          <Button variant="default" onClick={() => form.removeListItem('mapping', place)}>
            {words.removeMapping}
          </Button>
        </div>
      ))}
      <div>
        <Button variant="default" onClick={() => form.insertListItem('mapping', { value: '', role: 'member' })}>
          {words.addMapping}
        </Button>
      </div>
      <Check
        {...{ name: 'owner_by_claim', label: words.ownerByClaim, isOn: form.values.owner_by_claim }}
        change={(isOn) => form.setFieldValue('owner_by_claim', isOn)}
      />
    </fieldset>
  );
}
