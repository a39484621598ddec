import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Check } from '../../../components/form/check.tsx';
import { LookFields, SectionFields } from '../option-fields.tsx';
import { ATTACH, PERIODS, type ScheduleInput } from './input.ts';
import { texts } from './texts/texts.ts';
import { WhenFields } from './when-fields.tsx';

const NAME_CHARS_MAX = 200;

interface ScheduleFieldsProps {
  form: UseFormReturnType<ScheduleInput>;
  /** Whether the stored schedule has a logo. */
  hasLogo: boolean;
}

/** The fields of a schedule: when, to whom, and what. */
export function ScheduleFields({ form, hasLogo }: ScheduleFieldsProps) {
  const { values, errors } = form;
  const change = (fields: Partial<ScheduleInput>) => form.setValues(fields);
  const isRemoved = values.removesLogo;
  const stored = hasLogo ? { url: null, isRemoved, remove: (removesLogo: boolean) => change({ removesLogo }) } : null;
  return (
    <>
      <TextInput
        {...{ label: texts.name, description: texts.nameHelp, maxLength: NAME_CHARS_MAX }}
        {...form.getInputProps('name')}
      />
      <WhenFields form={form} />
      <NativeSelect
        {...{ label: texts.period, value: values.period, error: errors['period'] }}
        data={PERIODS.map((value) => ({ value, label: texts.periods[value] }))}
        onChange={({ currentTarget }) =>
          change({ period: PERIODS.find((one) => one === currentTarget.value) ?? 'previous_month' })
        }
      />
      <Textarea
        {...{ label: texts.recipients, description: texts.recipientsHelp, rows: 3 }}
        {...{ autoComplete: 'off', spellCheck: false, placeholder: 'client@example.com' }}
        {...form.getInputProps('recipients')}
        error={recipientError(errors) ?? errors['recipients']}
      />
      <fieldset className="form-choices">
        <legend>{texts.attach}</legend>
        {ATTACH.map((kind) => (
          <Check
            key={kind}
            {...{ type: 'radio', name: 'attach', isOn: values.attach === kind }}
            {...{ label: texts.attachKinds[kind], help: texts.attachHelp[kind] }}
            change={() => change({ attach: kind })}
          />
        ))}
      </fieldset>
      <h2>{texts.report}</h2>
      <TextInput label={texts.reportTitle} maxLength={NAME_CHARS_MAX} {...form.getInputProps('title')} />
      <TextInput
        {...{ label: texts.client, description: texts.clientHelp, maxLength: NAME_CHARS_MAX }}
        {...form.getInputProps('client')}
        error={errors['client_name']}
      />
      <MonitorFields form={form} />
      <SectionFields {...{ form: values, change, errors }} />
      <LookFields {...{ form: values, change, errors, stored }} />
    </>
  );
}

/** The API names the address by its place in the list: `recipients.1`. */
function recipientError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(errors).find(([path]) => path.startsWith('recipients.'));
  if (found === undefined) return undefined;
  return texts.address(Number(found[0].slice('recipients.'.length)) + 1, String(found[1]));
}

function MonitorFields({ form }: Pick<ScheduleFieldsProps, 'form'>) {
  const { monitors, monitorIds, tags } = form.values;
  return (
    <>
      <fieldset className="form-choices">
        <legend>{texts.monitors}</legend>
        {(['all', 'chosen'] as const).map((kind) => (
          <Check
            key={kind}
            {...{ type: 'radio', name: 'monitors', isOn: monitors === kind, label: texts.monitorKinds[kind] }}
            change={() => form.setValues({ monitors: kind })}
          />
        ))}
      </fieldset>
      {monitors === 'all' ? null : (
        <>
          <TextInput
            {...{ label: texts.tags, description: texts.tagsHelp, value: tags, error: form.errors['monitors.tags'] }}
            onChange={({ currentTarget }) => form.setValues({ tags: currentTarget.value })}
          />
          {monitorIds.length === 0 ? null : <p>{texts.chosenByApi(monitorIds.length)}</p>}
        </>
      )}
    </>
  );
}
