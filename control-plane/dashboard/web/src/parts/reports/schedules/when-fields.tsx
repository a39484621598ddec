import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check } from '../../../components/form/check.tsx';
import { NextTimes, SchedulePreview } from '../../../components/form/schedule-preview.tsx';
import type { ScheduleInput } from './input.ts';
import { previewQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import { cronOf, DAYS, WEEKDAYS, type WhenInput } from './when.ts';
import { missingDayWords, weekdayName } from './words.ts';

const TYPING_MS = 300;
const KINDS: readonly WhenInput['kind'][] = ['month', 'week', 'cron'];
/** The period that the form suggests for each kind of time. */
const PERIOD_OF: Readonly<Record<WhenInput['kind'], ScheduleInput['period'] | null>> = {
  ...{ month: 'previous_month', week: 'previous_week', cron: null },
};

interface WhenFieldsProps {
  form: UseFormReturnType<ScheduleInput>;
}

/** When reports are made, and what that means. */
export function WhenFields({ form }: WhenFieldsProps) {
  const { when, period } = form.values;
  const choose = (kind: WhenInput['kind']) => {
    const other = PERIOD_OF[kind];
    const isChosen = !Object.values(PERIOD_OF).includes(period);
    // What was chosen is the beginning of an expression.
    const cron = kind === 'cron' ? cronOf(when) : when.cron;
    form.setValues({ when: { ...when, kind, cron }, period: isChosen || other === null ? period : other });
    form.clearFieldError('cron');
  };
  return (
    <>
      <fieldset className="form-choices">
        <legend>{texts.when}</legend>
        {KINDS.map((kind) => (
          <Check
            key={kind}
            {...{ type: 'radio', name: 'when', isOn: when.kind === kind, label: texts.kinds[kind] }}
            change={() => choose(kind)}
          />
        ))}
      </fieldset>
      {when.kind === 'cron' ? (
        <TextInput
          {...{ label: texts.cron, description: texts.cronHelp, value: when.cron, error: form.errors['cron'] }}
          onChange={({ currentTarget }) => form.setFieldValue('when', { ...when, cron: currentTarget.value })}
        />
      ) : (
        <DayAndTime when={when} error={form.errors['cron']} change={(changed) => form.setFieldValue('when', changed)} />
      )}
      <TextInput label={texts.timeZone} description={texts.timeZoneHelp} {...form.getInputProps('time_zone')} />
      <Preview input={form.values} />
    </>
  );
}

interface DayAndTimeProps {
  when: WhenInput;
  error: unknown;
  change(when: WhenInput): void;
}

function DayAndTime({ when, error, change }: DayAndTimeProps) {
  const words = when.kind === 'month' ? missingDayWords(when.day) : null;
  return (
    <>
      <div className="form-row">
        {when.kind === 'month' ? (
          <NativeSelect
            {...{ label: texts.day, value: when.day }}
            data={DAYS.map((value) => ({ value, label: value === 'L' ? texts.lastDay : value }))}
            onChange={({ currentTarget }) => change({ ...when, day: currentTarget.value })}
          />
        ) : (
          <NativeSelect
            {...{ label: texts.weekday, value: when.weekday }}
            data={WEEKDAYS.map((value) => ({ value, label: weekdayName(value) }))}
            onChange={({ currentTarget }) => change({ ...when, weekday: currentTarget.value })}
          />
        )}
        <TextInput
          {...{ type: 'time', label: texts.time, value: when.time, error: error === undefined ? null : String(error) }}
          onChange={({ currentTarget }) => change({ ...when, time: currentTarget.value })}
        />
      </div>
      {words === null ? null : (
        <p className="note warning" role="status">
          {words}
        </p>
      )}
    </>
  );
}

/** What the times mean, before they are saved. */
function Preview({ input }: { input: ScheduleInput }) {
  const [cron] = useDebouncedValue(cronOf(input.when), TYPING_MS);
  const [time_zone] = useDebouncedValue(input.time_zone.trim(), TYPING_MS);
  const { data, error } = useQuery(previewQuery({ cron, time_zone }));
  return (
    <SchedulePreview label={texts.preview} error={error}>
      {data === undefined ? null : (
        <>
          <NextTimes times={data.times} />
          {data.warnings.length > 0 && input.when.kind === 'cron' ? <p>{texts.missingSome}</p> : null}
        </>
      )}
    </SchedulePreview>
  );
}
