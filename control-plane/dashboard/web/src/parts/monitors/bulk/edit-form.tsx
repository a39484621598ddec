import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { billingQuery } from '../../../api/queries.ts';
import { texts as app } from '../../../texts/app/texts.ts';
import { milliseconds, number } from '../../../texts/format.ts';
import { type EditedFields, MAJORITY, type Operation, settingsOf, UNEDITED } from './order.ts';
import { texts } from './texts/texts.ts';

const INTERVALS_S = [10, 30, 60, 120, 300, 900, 3_600, 86_400];
const RETRIES = [0, 1, 2, 3, 4, 5];
const CONFIRMATIONS = [1, 2, 3, 4, 5];
const TIMEOUTS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];

/** The settings that can be the same for many monitors. Those that stay empty do not change. */
export function EditForm({ choose }: { choose(operation: Operation): void }) {
  const [edited, setEdited] = useState<EditedFields>(UNEDITED);
  const [isMissing, setMissing] = useState(false);
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const set = settingsOf(edited);
    if (set === null) setMissing(true);
    else choose({ operation: 'set', set });
  };
  const field = (name: keyof EditedFields, label: string, options: { value: string; label: string }[]) => (
    <NativeSelect
      {...{ name, label, value: edited[name] }}
      data={[{ value: '', label: texts.form.keep }, ...options]}
      onChange={({ currentTarget }) => {
        setEdited({ ...edited, [name]: currentTarget.value });
        setMissing(false);
      }}
    />
  );
  const options = (values: readonly number[], words: (value: number) => string) =>
    values.map((value) => ({ value: String(value), label: words(value) }));
  const intervals = INTERVALS_S.filter((seconds) => seconds >= shortest);
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{texts.form.lead}</p>
      {field('interval_seconds', texts.form.interval, options(intervals, app.seconds))}
      {field('retries', texts.form.retries, options(RETRIES, number))}
      {field('confirmations', texts.form.confirmations, [
        { value: MAJORITY, label: texts.form.majority },
        ...options(CONFIRMATIONS, number),
      ])}
      {field('timeout_ms', texts.form.timeout, options(TIMEOUTS_MS, milliseconds))}
      {isMissing ? (
        <p className="note bad" role="alert">
          {texts.form.nothing}
        </p>
      ) : null}
      <div className="page-actions">
        <Button type="submit">{texts.form.next}</Button>
      </div>
    </form>
  );
}
