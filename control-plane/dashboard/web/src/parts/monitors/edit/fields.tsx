import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { billingQuery } from '../../../api/queries.ts';
import type { Location } from '../../../api/types.ts';
import { texts } from '../../../texts/app/texts.ts';
import { number } from '../../../texts/format.ts';
import { namedChannels } from '../channels/named.ts';
import { intervalsFrom } from '../intervals.ts';
import { channelsQuery } from './channels-query.ts';
import { Check } from './check.tsx';
import { errorAt } from './error-at.ts';
import type { FieldsProps } from './fields-props.ts';
import { STORED } from './form-values.ts';
import { words } from './texts/texts.ts';

const RETRIES_MAX = 5;
const TYPES = ['http', 'tcp', 'ping'] as const;
const { labels, help } = words;

export function WhatFields({ form }: FieldsProps) {
  const { type, url } = form.values;
  return (
    <section className="panel edit-group">
      <h2>{words.groups.what}</h2>
      <TextInput label={labels['name']} {...form.getInputProps('name')} />
      <NativeSelect
        label={labels['type']}
        {...form.getInputProps('type')}
        data={TYPES.map((value) => ({ value, label: texts.watch.types[value] }))}
      />
      <TextInput
        label={labels['url']}
        description={url.includes(`${STORED}@`) ? help.secretUrl : help.url[type]}
        {...form.getInputProps('url')}
      />
      <TextInput label={labels['tags']} description={help.tags} {...textProps(form, 'tags')} />
    </section>
  );
}

export function HowFields({ form, locations }: FieldsProps & { locations: readonly Location[] }) {
  const { interval_seconds: current, locations: chosen } = form.values;
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? 0;
  const toggle = (code: string) =>
    form.setFieldValue(
      'locations',
      (chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code]).sort(),
    );
  return (
    <section className="panel edit-group">
      <h2>{words.groups.how}</h2>
      <NativeSelect
        label={labels['interval_seconds']}
        description={shortest === 0 ? undefined : help.interval(texts.seconds(shortest))}
        value={String(current)}
        error={form.errors['interval_seconds']}
        onChange={({ currentTarget }) => form.setFieldValue('interval_seconds', Number(currentTarget.value))}
        data={intervalsFrom(shortest, current)}
      />
      <TextInput
        label={labels['timeout_ms']}
        description={help.timeout}
        inputMode="numeric"
        {...form.getInputProps('timeout_ms')}
      />
      <fieldset className="edit-checks">
        <legend>{labels['locations']}</legend>
        {locations.map(({ code, city }) => (
          <Check key={code} label={`${city} (${code})`} isOn={chosen.includes(code)} toggle={() => toggle(code)} />
        ))}
        <FieldError text={errorAt(form.errors, 'locations')} />
      </fieldset>
    </section>
  );
}

export function AlertFields({ form }: FieldsProps) {
  const { locations, confirmations } = form.values;
  const most = Math.max(locations.length, confirmations ?? 1);
  const counts = Array.from({ length: most }, (_, index) => String(index + 1));
  return (
    <section className="panel edit-group">
      <h2>{words.groups.alerts}</h2>
      <NativeSelect
        label={labels['confirmations']}
        description={help.confirmations}
        value={confirmations === null ? '' : String(confirmations)}
        error={form.errors['confirmations']}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue('confirmations', value === '' ? null : Number(value))
        }
        data={[
          { value: '', label: words.majority(Math.floor(locations.length / 2) + 1) },
          ...counts.map((value) => ({ value, label: value })),
        ]}
      />
      <NativeSelect
        label={labels['retries']}
        description={help.retries}
        value={String(form.values.retries)}
        error={form.errors['retries']}
        onChange={({ currentTarget }) => form.setFieldValue('retries', Number(currentTarget.value))}
        data={Array.from({ length: RETRIES_MAX + 1 }, (_, index) => ({ value: String(index), label: number(index) }))}
      />
    </section>
  );
}

export function NotifyFields({ form }: FieldsProps) {
  const { channels: chosen } = form.values;
  const { data: channels, isSuccess } = useQuery(channelsQuery);
  const deleted = channels === undefined ? [] : namedChannels(chosen, channels).deleted;
  const choose = (ids: string[] | null) => form.setFieldValue('channels', ids);
  const toggle = (id: string, ids: readonly string[]) =>
    choose((ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]).sort());
  return (
    <section className="panel edit-group">
      <h2>{words.groups.notifies}</h2>
      <fieldset className="edit-checks">
        <legend>{labels['channels']}</legend>
        <Check
          label={words.everyChannel}
          isOn={chosen === null}
          toggle={() => choose(chosen === null ? (channels ?? []).map(({ id }) => id).sort() : null)}
        />
        {chosen === null
          ? null
          : channels?.map(({ id, name }) => (
              <Check key={id} label={name} isOn={chosen.includes(id)} toggle={() => toggle(id, chosen)} />
            ))}
        {deleted.map((id) => (
          <Check key={id} label={words.deletedChannel(id)} isOn toggle={() => toggle(id, chosen ?? [])} />
        ))}
        {deleted.length === 0 ? null : <p className="tone-warning">{words.deletedChannelHelp}</p>}
        {isSuccess && channels.length === 0 ? <p className="soft">{words.noChannels}</p> : null}
        {chosen?.length === 0 ? <p className="tone-warning">{words.noChannel}</p> : null}
        <FieldError text={errorAt(form.errors, 'channels')} />
      </fieldset>
      <TextInput label={labels['runbook_url']} description={help.runbook} {...form.getInputProps('runbook_url')} />
    </section>
  );
}

/** The API names a place inside the field, such as its second line. */
function textProps(form: FieldsProps['form'], field: string) {
  return { ...form.getInputProps(field), error: errorAt(form.errors, field) };
}

function FieldError({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p className="tone-down" role="alert">
      {text}
    </p>
  );
}
