import { Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ChannelType } from '../../../api/types.ts';
import { Check } from '../../../components/form/check.tsx';
import { texts } from '../texts/texts.ts';
import { CONFIG_FIELDS, type ConfigField } from './fields.ts';
import type { ChannelInput } from './input.ts';

const NAME_CHARS_MAX = 200;

interface FieldsProps {
  form: UseFormReturnType<ChannelInput>;
  type: ChannelType;
  /** The stored configuration, in which secrets are masked; null for a new channel. */
  stored: Readonly<Record<string, unknown>> | null;
}

/** The fields of a channel of a type. */
export function ChannelFields({ form, type, stored }: FieldsProps) {
  return (
    <>
      <TextInput
        label={texts.name}
        description={texts.nameHelp}
        maxLength={NAME_CHARS_MAX}
        {...form.getInputProps('name')}
      />
      {CONFIG_FIELDS[type].map((field) => (
        <Field key={field.name} {...{ form, type, field, stored }} />
      ))}
      <div className="form-row">
        <TextInput
          label={texts.delay}
          description={texts.delayHelp}
          inputMode="numeric"
          {...form.getInputProps('delay_minutes')}
        />
        <TextInput
          label={texts.repeat}
          description={texts.repeatHelp}
          inputMode="numeric"
          {...form.getInputProps('repeat_minutes')}
        />
      </div>
    </>
  );
}

function Field({ form, type, field, stored }: FieldsProps & { field: ConfigField }) {
  const { name, kind, isOptional, example } = field;
  const words = texts.config[type][name] ?? { label: name, help: '' };
  const isStored = typeof stored?.[name] === 'string';
  const isRemoved = form.values.removed.includes(name);
  const props = {
    label: isOptional ? texts.optional(words.label) : words.label,
    description: kind === 'secret' && isStored ? texts.keepSecret(words.help, String(stored?.[name])) : words.help,
    placeholder: example,
    // Nothing that a browser knows belongs here, and nothing that is typed should be remembered.
    autoComplete: 'off',
    spellCheck: false,
    disabled: isRemoved,
    ...form.getInputProps(`config.${name}`),
  };
  if (kind === 'addresses') return <Textarea rows={3} {...props} error={addressError(form.errors) ?? props.error} />;
  return (
    <div className="stack channel-secret">
      <TextInput {...props} />
      {isOptional && isStored ? (
        <Check
          name={`remove-${name}`}
          label={texts.removeSecret(words.label)}
          isOn={isRemoved}
          change={(isOn) => form.setFieldValue('removed', isOn ? [name] : [])}
        />
      ) : null}
    </div>
  );
}

/** The API names the address by its place in the list: `config.to.1`. */
function addressError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(errors).find(([path]) => path.startsWith('config.to.'));
  return found === undefined
    ? undefined
    : texts.address(Number(found[0].slice('config.to.'.length)) + 1, String(found[1]));
}
