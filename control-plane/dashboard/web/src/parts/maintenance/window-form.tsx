import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check } from '../../components/form/check.tsx';
import { Choices } from '../../components/form/choices.tsx';
import { SchedulePreview } from '../../components/form/schedule-preview.tsx';
import { scheduleBody, type WindowInput } from './input.ts';
import { Occurrences } from './occurrences.tsx';
import { previewQuery, useOptions } from './queries.ts';
import { texts } from './texts/texts.ts';

const NAME_CHARS_MAX = 200;
const TYPING_MS = 300;

interface WindowFieldsProps {
  form: UseFormReturnType<WindowInput>;
  /** Whether it can be chosen if the window repeats; a stored one stays as it is. */
  isNew: boolean;
}

/** The fields of a window, and what its schedule means. */
export function WindowFields({ form, isNew }: WindowFieldsProps) {
  const { monitors, servers } = useOptions();
  const { when, targets } = form.values;
  const choices = { isLabelShown: true, className: 'maintenance-choices', deletedName: texts.deletedObject };
  return (
    <>
      <TextInput label={texts.name} maxLength={NAME_CHARS_MAX} {...form.getInputProps('name')} />
      {isNew ? (
        <fieldset className="form-choices">
          <legend>{texts.when}</legend>
          {(['once', 'repeats', 'rule'] as const).map((kind) => (
            <Check
              key={kind}
              {...{ type: 'radio', name: 'when', isOn: when === kind, label: texts.whenKinds[kind] }}
              change={() => form.setFieldValue('when', kind)}
            />
          ))}
        </fieldset>
      ) : null}
      {when === 'once' ? <Once form={form} /> : <Repeats form={form} />}
      <Preview input={form.values} />
      <Check
        {...{ name: 'counts_in_uptime', isOn: form.values.counts_in_uptime }}
        {...{ label: texts.countsInUptime, help: texts.countsInUptimeHelp }}
        change={(isOn) => form.setFieldValue('counts_in_uptime', isOn)}
      />
      <fieldset className="form-choices">
        <legend>{texts.targets}</legend>
        {(['chosen', 'everything'] as const).map((kind) => (
          <Check
            key={kind}
            {...{ type: 'radio', name: 'targets', isOn: targets === kind, label: texts.targetKinds[kind] }}
            change={() => form.setFieldValue('targets', kind)}
          />
        ))}
      </fieldset>
      {targets === 'chosen' ? (
        <>
          <Choices
            {...choices}
            {...{ label: texts.monitors, options: monitors, chosen: form.values.monitor_ids }}
            change={(ids) => form.setFieldValue('monitor_ids', ids)}
          />
          <Choices
            {...choices}
            {...{ label: texts.servers, options: servers, chosen: form.values.server_ids }}
            change={(ids) => form.setFieldValue('server_ids', ids)}
          />
          <TextInput label={texts.tags} description={texts.tagsHelp} {...form.getInputProps('tags')} />
          {form.errors['monitor_ids'] === undefined ? null : (
            <p className="note bad" role="alert">
              {form.errors['monitor_ids']}
            </p>
          )}
        </>
      ) : null}
    </>
  );
}

function Once({ form }: Pick<WindowFieldsProps, 'form'>) {
  return (
    <>
      <TextInput type="datetime-local" label={texts.starts} {...form.getInputProps('starts_at')} />
      <TextInput type="datetime-local" label={texts.ends} {...form.getInputProps('ends_at')} />
    </>
  );
}

function Repeats({ form }: Pick<WindowFieldsProps, 'form'>) {
  return (
    <>
      {form.values.when === 'rule' ? (
        <>
          <TextInput
            {...{ type: 'datetime-local', label: texts.starts, description: texts.ruleStartHelp }}
            {...form.getInputProps('starts_at')}
          />
          <TextInput label={texts.rule} description={texts.ruleHelp} {...form.getInputProps('recurrence.rrule')} />
        </>
      ) : (
        <TextInput label={texts.cron} description={texts.cronHelp} {...form.getInputProps('recurrence.cron')} />
      )}
      <TextInput
        label={texts.timeZone}
        description={texts.timeZoneHelp}
        {...form.getInputProps('recurrence.time_zone')}
      />
      <TextInput label={texts.duration} inputMode="numeric" {...form.getInputProps('recurrence.duration_minutes')} />
    </>
  );
}

/** What the schedule means, before it is saved. */
function Preview({ input }: { input: WindowInput }) {
  const [schedule] = useDebouncedValue(scheduleBody(input), TYPING_MS);
  const { data, error } = useQuery(previewQuery(schedule));
  return (
    <SchedulePreview label={texts.preview} error={error}>
      {data === undefined ? null : <Occurrences rows={data} />}
    </SchedulePreview>
  );
}
