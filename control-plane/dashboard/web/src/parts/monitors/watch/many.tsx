import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Fragment, useEffect, useRef, useState } from 'react';
import { billingQuery } from '../../../api/queries.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts as appTexts } from '../../../texts/app/texts.ts';
import { applyBulk } from '../bulk/job/queries.ts';
import { useTurn } from '../bulk/job/use-turn.ts';
import { Waiting } from '../bulk/job/waiting.tsx';
import { texts as bulk } from '../bulk/texts/texts.ts';
import { INTERVAL_S_DEFAULT, intervalsFrom } from '../intervals.ts';
import { createMany } from './create-many.ts';
import type { CreatedList } from './created-list.ts';
import { ManyRow } from './many-row.tsx';
import { type PastedList, ROWS_MAX, type Row, repeatedIn, rowsOf, wantedOf } from './rows.ts';
import { texts } from './texts.ts';

/** Of lines that are named; the others follow. */
const SHOWN_MAX = 5;

interface ManyProps {
  /** Several addresses, as they were pasted, and what became of them. */
  list: PastedList;
  change(rows: readonly Row[]): void;
  back(): void;
  /** Called when it is sent: the workspace can have monitors before the answer is here. */
  sending(): void;
  created(list: CreatedList): void;
}

/** What Picket makes of a list of addresses. Everything can be corrected before anything is created. */
export function Many({ list: { text, rows }, change: setRows, back, sending, created }: ManyProps) {
  const [all] = useState(() => rowsOf(text));
  const [repeated] = useState(() => repeatedIn(text));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [interval, setInterval] = useState(INTERVAL_S_DEFAULT);
  const [examined, setExamined] = useState(0);
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? INTERVAL_S_DEFAULT;
  const form = useRef<HTMLFormElement>(null);
  const queries = useQueryClient();
  const turn = useTurn();
  // What is wrong can be pages away from the button.
  useEffect(() => {
    if (problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const left = all.length - ROWS_MAX;
  const create = useMutation({
    async mutationFn() {
      setExamined(0);
      const wanted = rows.flatMap((row) => wantedOf(row) ?? []);
      const result = await createMany({
        ...{ wanted, intervalS: interval, nameTaken: texts.many.nameTaken, progress: setExamined },
        start: (request) => turn.take(() => applyBulk(request)),
      });
      return { result, names: wanted.map(({ name }) => name) };
    },
    onSuccess({ result, names }) {
      if ('job' in result) {
        void queries.invalidateQueries({ queryKey: ['monitor-bulks'] });
        return created({ job: result.job, names });
      }
      const found = [...result.problems].map(([index, problem]): [string, string] => [rows[index]?.key ?? '', problem]);
      return setProblems(new Map(found));
    },
  });
  const toRow = ({ key }: Row) => form.current?.querySelector<HTMLElement>(`[data-row="${key}"] input`)?.focus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = problemsOf(rows);
    setProblems(wrong);
    if (wrong.size > 0 || rows.length === 0) return;
    sending();
    create.mutate();
  };
  /** The focus goes to the same button of the row that takes its place, and from the last row to the way back. */
  const leaveOut = (index: number) => {
    const beside = rows[index + 1] ?? rows[index - 1];
    const to = beside === undefined ? '.page-actions button[type="button"]' : `[data-row="${beside.key}"] button`;
    form.current?.querySelector<HTMLElement>(to)?.focus();
    setRows(rows.filter((_, place) => place !== index));
  };
  const change = (row: Row) => setRows(rows.map((one) => (one.key === row.key ? row : one)));
  return (
    <form className="panel watch watch-wide" onSubmit={submit} noValidate ref={form}>
      <p>{rows.length === 0 ? texts.many.none : texts.many.sentence(rows.length)}</p>
      {repeated.length === 0 ? null : (
        <p className="note">{bulk.paste.repeated(repeated.length, repeated.slice(0, SHOWN_MAX))}</p>
      )}
      {left > 0 ? <p className="note">{texts.many.tooMany(left)}</p> : null}
      <ul className="many">
        {rows.map((row, index) => (
          <ManyRow {...{ key: row.key, row, problem: problems.get(row.key), change }} remove={() => leaveOut(index)} />
        ))}
      </ul>
      <NativeSelect
        {...{ name: 'interval', label: appTexts.watch.interval, value: String(interval) }}
        data={intervalsFrom(shortest)}
        onChange={({ currentTarget }) => setInterval(Number(currentTarget.value))}
      />
      {problems.size === 0 ? null : <WrongRows wrong={rows.filter(({ key }) => problems.has(key))} show={toRow} />}
      <Waiting isWaiting={turn.isWaiting} text={bulk.waiting.apply} />
      <ActionProblem error={create.error} />
      <p className="soft" role="status">
        {create.isPending && examined > 0 ? texts.many.examined(examined, rows.length) : ''}
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

/** How many rows need a correction, and the way to the first of them. */
function WrongRows({ wrong, show }: { wrong: readonly Row[]; show(row: Row): void }) {
  return (
    <p className="note bad" role="alert">
      {texts.many.wrong(wrong.length)}
      {wrong.slice(0, SHOWN_MAX).map((row) => (
        <Fragment key={row.key}>
          {' '}
          <button type="button" className="link" onClick={() => show(row)}>
            {bulk.paste.goToLine(row.line)}
          </button>
        </Fragment>
      ))}
    </p>
  );
}

/** What can be said without the API. */
function problemsOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(({ key, line, name, suggestion }): [string, string][] => {
      if (typeof suggestion === 'string') return [[key, texts.many.inLine(line, appTexts.watch[suggestion])]];
      return name.trim() === '' ? [[key, texts.many.nameMissing]] : [];
    }),
  );
}
