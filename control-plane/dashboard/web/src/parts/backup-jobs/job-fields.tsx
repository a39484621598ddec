import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check } from '../../components/form/check.tsx';
import { NextTimes, SchedulePreview } from '../../components/form/schedule-preview.tsx';
import { duration } from '../../texts/format.ts';
import { choicesOf, type JobInput, scheduleBody } from './input.ts';
import { previewQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

const NAME_CHARS_MAX = 200;
const TYPING_MS = 300;
const SECOND_MS = 1_000;

interface JobFieldsProps {
  form: UseFormReturnType<JobInput>;
  /** A new job is enabled. */
  isNew: boolean;
}

/** The fields of a job, and what its schedule means. */
export function JobFields({ form, isNew }: JobFieldsProps) {
  return (
    <>
      <TextInput label={texts.name} maxLength={NAME_CHARS_MAX} {...form.getInputProps('name')} />
      <TextInput label={texts.cron} description={texts.cronHelp} {...form.getInputProps('schedule.cron')} />
      <TextInput
        label={texts.timeZone}
        description={texts.timeZoneHelp}
        {...form.getInputProps('schedule.time_zone')}
      />
      <Preview input={form.values} />
      <div className="form-row">
        <Seconds form={form} field="grace_seconds" label={texts.grace} help={texts.graceHelp} />
        <Seconds form={form} field="max_run_seconds" label={texts.longest} help={texts.longestHelp} />
      </div>
      <div className="form-row">
        <TextInput
          {...{ label: texts.minSize, description: texts.minSizeHelp, inputMode: 'decimal' }}
          {...form.getInputProps('min_size_bytes')}
        />
        <TextInput
          {...{ label: texts.shrink, description: texts.shrinkHelp, inputMode: 'numeric' }}
          {...form.getInputProps('max_shrink_percent')}
        />
      </div>
      <Check
        {...{ name: 'expect_sha256', isOn: form.values.expect_sha256 }}
        {...{ label: texts.checksum, help: texts.checksumHelp }}
        change={(isOn) => form.setFieldValue('expect_sha256', isOn)}
      />
      <TextInput label={texts.tags} description={texts.tagsHelp} {...form.getInputProps('tags')} />
      {isNew ? null : (
        <Check
          {...{ name: 'enabled', isOn: form.values.enabled, label: texts.enabled, help: texts.enabledHelp }}
          change={(isOn) => form.setFieldValue('enabled', isOn)}
        />
      )}
    </>
  );
}

interface SecondsProps {
  form: UseFormReturnType<JobInput>;
  field: 'grace_seconds' | 'max_run_seconds';
  label: string;
  help: string;
}

/** The choice of a duration. */
function Seconds({ form, field, label, help }: SecondsProps) {
  const chosen = form.values[field];
  return (
    <NativeSelect
      {...{ label, description: help, value: String(chosen), error: form.errors[field] }}
      data={choicesOf(field, chosen).map((seconds) => ({
        value: String(seconds),
        label: duration(seconds * SECOND_MS),
      }))}
      onChange={({ currentTarget }) => form.setFieldValue(field, Number(currentTarget.value))}
    />
  );
}

/** What the schedule means, before it is saved. */
function Preview({ input }: { input: JobInput }) {
  const { cron, time_zone } = scheduleBody(input);
  const [typedCron] = useDebouncedValue(cron, TYPING_MS);
  const [typedZone] = useDebouncedValue(time_zone, TYPING_MS);
  const { data, error } = useQuery(previewQuery({ cron: typedCron, time_zone: typedZone }));
  return (
    <SchedulePreview label={texts.preview} error={error}>
      {data === undefined ? null : <NextTimes times={data} />}
    </SchedulePreview>
  );
}
