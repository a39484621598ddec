import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { OPERATORS, type RuleInput } from './input.ts';
import { texts as metricTexts } from './metric-texts/texts.ts';
import { METRIC_NAMES, metricOf } from './metrics.ts';
import { texts } from './texts/texts.ts';

interface ConditionProps {
  form: UseFormReturnType<RuleInput>;
}

/** When the rule opens an incident. */
export function Condition({ form }: ConditionProps) {
  switch (form.values.type) {
    case 'metric':
      return <MetricCondition form={form} />;
    case 'server_offline':
      return (
        <TextInput
          {...{ label: texts.offlineFor, description: texts.offlineForHelp, inputMode: 'numeric' }}
          {...form.getInputProps('for_minutes')}
          error={form.errors['for_seconds']}
        />
      );
    case 'disk_full':
      return (
        <TextInput
          {...{ label: texts.withinHours, description: texts.withinHoursHelp, inputMode: 'numeric' }}
          {...form.getInputProps('within_hours')}
        />
      );
    case 'blacklist_listed':
    case 'backup_missed':
    case 'email_score_fell':
    case 'domain_expiring':
    case 'wordpress_check_failed':
      return null;
  }
}

function MetricCondition({ form }: ConditionProps) {
  const metric = metricOf(form.values.metric);
  return (
    <>
      <div className="form-row">
        <NativeSelect
          label={texts.metric}
          data={[
            ...METRIC_NAMES.map((value) => ({ value, label: metricTexts.metrics[value] })),
            // A rule of a later version may have a metric that these pages do not know.
            ...(metric === null ? [{ value: form.values.metric, label: form.values.metric }] : []),
          ]}
          {...form.getInputProps('metric')}
        />
        {metric?.device === null ? null : (
          <TextInput
            {...{ label: texts.device, description: texts.deviceHelp[metric?.device ?? 'mount'] }}
            {...form.getInputProps('device')}
          />
        )}
      </div>
      <div className="form-row">
        <NativeSelect
          label={texts.operator}
          data={OPERATORS.map((value) => ({ value, label: metricTexts.operators[value] }))}
          {...form.getInputProps('operator')}
        />
        <TextInput
          {...{ label: texts.threshold(metric?.unit ?? 'count'), inputMode: 'decimal' }}
          {...form.getInputProps('threshold')}
        />
        <TextInput
          {...{ label: texts.forMinutes, inputMode: 'numeric' }}
          {...form.getInputProps('for_minutes')}
          error={form.errors['for_seconds']}
        />
      </div>
    </>
  );
}
