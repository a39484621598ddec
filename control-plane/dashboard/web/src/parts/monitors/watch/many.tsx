import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { billingQuery } from '../../../api/queries.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts as appTexts } from '../../../texts/app/texts.ts';
import { importMany } from './import-many.ts';
import { INTERVAL_S_DEFAULT, intervalsFrom } from './intervals.ts';
import { ManyRow } from './many-row.tsx';
import { ADDRESSES_MAX, addressesIn, type Row, suggestMany, wantedOf } from './suggest-many.ts';
import { texts } from './texts.ts';

interface ManyProps {
  /** Several addresses, as somebody pasted them. */
  text: string;
  back(): void;
  created(ids: readonly string[]): void;
}

/** What Picket makes of a list of addresses. Everything can be corrected before anything is created. */
export function Many({ text, back, created }: ManyProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => suggestMany(text));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [interval, setInterval] = useState(INTERVAL_S_DEFAULT);
  const [done, setDone] = useState(0);
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? INTERVAL_S_DEFAULT;
  const left = addressesIn(text).length - ADDRESSES_MAX;
  const create = useMutation({
    mutationFn: () => {
      const wanted = rows.flatMap((row) => wantedOf(row) ?? []);
      return importMany({ wanted, intervalS: interval, nameTaken: texts.many.nameTaken, progress: setDone });
    },
    onSuccess(result) {
      if ('ids' in result) return created(result.ids);
      const found = [...result.problems].map(([index, problem]): [string, string] => [rows[index]?.key ?? '', problem]);
      return setProblems(new Map(found));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = problemsOf(rows);
    setProblems(wrong);
    if (wrong.size === 0 && rows.length > 0) create.mutate();
  };
  const change = (row: Row) => setRows(rows.map((one) => (one.key === row.key ? row : one)));
  return (
    <form className="panel watch watch-wide" onSubmit={submit} noValidate>
      <p>{rows.length === 0 ? texts.many.none : texts.many.sentence(rows.length)}</p>
      {left > 0 ? <p className="note">{texts.many.tooMany(left)}</p> : null}
      <ul className="many">
        {rows.map((row) => (
          <ManyRow
            {...{ key: row.key, row, problem: problems.get(row.key), change }}
            remove={() => setRows(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </ul>
      <NativeSelect
        {...{ name: 'interval', label: appTexts.watch.interval, value: String(interval) }}
        data={intervalsFrom(shortest)}
        onChange={({ currentTarget }) => setInterval(Number(currentTarget.value))}
      />
      {problems.size === 0 ? null : (
        <p className="note bad" role="alert">
          {texts.many.wrong(problems.size)}
        </p>
      )}
      <ActionProblem error={create.error} />
      <p className="soft" role="status">
        {create.isPending && done > 0 ? texts.many.created(done, rows.length) : ''}
      </p>
      <div className="page-actions">
        <Button type="submit" loading={create.isPending} disabled={rows.length === 0}>
          {texts.many.create(rows.length)}
        </Button>
        <Button variant="default" onClick={back} disabled={create.isPending}>
          {texts.many.back}
        </Button>
      </div>
    </form>
  );
}

/** What can be said without the API. */
function problemsOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ key, name, suggestion }): [string, string][] => {
      if (typeof suggestion === 'string') return [[key, appTexts.watch[suggestion]]];
      return name.trim() === '' ? [[key, texts.many.nameMissing]] : [];
    }),
  );
}
