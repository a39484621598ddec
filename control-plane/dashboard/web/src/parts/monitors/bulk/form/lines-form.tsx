import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { billingQuery } from '../../../../api/queries.ts';
import type { BulkRequest } from '../../../../api/types.ts';
import { tagsOf } from '../../../../components/form/tags.ts';
import { texts as app } from '../../../../texts/app/texts.ts';
import { INTERVAL_S_DEFAULT, intervalsFrom } from '../../intervals.ts';
import { type Pasted, pastedLines } from '../../pasted/lines.ts';
import { monitorsOf } from '../../pasted/monitors.ts';
import { texts } from '../texts/texts.ts';
import { placeOfLine } from './line-place.ts';
import { TAGS_CHARS_MAX } from './order.ts';
import { TagChoices } from './tag-choices.tsx';

/** As many as the API adds in one change. */
const LINES_MAX = 2_000;
const BAD_SHOWN_MAX = 5;
const REPEATED_SHOWN_MAX = 3;

/** What a person has entered so far. */
export interface Draft {
  text: string;
  intervalS: number;
  /** Separated by commas. */
  tags: string;
}

interface LinesFormProps {
  draft: Draft;
  change(draft: Draft): void;
  choose(request: BulkRequest): void;
}

/** The lines, and what all of the new monitors have in common. */
export function LinesForm({ draft, change, choose }: LinesFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [bad, setBad] = useState<readonly Pasted[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? INTERVAL_S_DEFAULT;
  const lines = useMemo(() => pastedLines(draft.text), [draft.text]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = lines.filter(({ found }) => typeof found === 'string');
    const monitors = monitorsOf(lines, { interval_seconds: draft.intervalS, tags: tagsOf(draft.tags) });
    setBad(wrong);
    if (monitors.length > LINES_MAX) return setProblem(texts.paste.tooMany(LINES_MAX));
    if (lines.length === 0) return setProblem(texts.paste.nothing);
    setProblem(null);
    if (wrong.length === 0) choose({ operation: 'add', monitors });
  };
  const repeated = lines.filter(({ found, repeats }) => typeof found !== 'string' && repeats !== null);
  return (
    <form className="panel stack bulk-lines" onSubmit={submit} noValidate>
      <Textarea
        {...{ ref: field, name: 'lines', label: texts.paste.label, rows: 14, value: draft.text, error: problem }}
        {...{ placeholder: texts.paste.placeholder, autoFocus: true, autoComplete: 'off', spellCheck: false }}
        {...{ autoCapitalize: 'none' }}
        onChange={({ currentTarget }) => change({ ...draft, text: currentTarget.value })}
      />
      <BadLines bad={bad} show={(line) => showLine(field.current, line)} />
      {repeated.length === 0 ? null : (
        <p className="soft">
          {texts.paste.repeated(
            repeated.length,
            repeated.slice(0, REPEATED_SHOWN_MAX).map(({ line, repeats }) => [line, repeats ?? line]),
          )}
        </p>
      )}
      <div className="bulk-fields">
        <NativeSelect
          {...{ name: 'interval', label: app.watch.interval, value: String(draft.intervalS) }}
          data={intervalsFrom(shortest)}
          onChange={({ currentTarget }) => change({ ...draft, intervalS: Number(currentTarget.value) })}
        />
        <div className="bulk-text">
          <TextInput
            {...{ name: 'tags', label: texts.paste.tags, value: draft.tags, maxLength: TAGS_CHARS_MAX }}
            {...{ autoComplete: 'off', autoCapitalize: 'none' }}
            onChange={({ currentTarget }) => change({ ...draft, tags: currentTarget.value })}
          />
          <TagChoices text={draft.tags} type={(tags) => change({ ...draft, tags })} />
        </div>
      </div>
      <div className="page-actions">
        <Button type="submit">{texts.paste.next}</Button>
      </div>
    </form>
  );
}

/** What is wrong with lines; each leads to its line. */
function BadLines({ bad, show }: { bad: readonly Pasted[]; show(line: number): void }) {
  if (bad.length === 0) return null;
  return (
    <div className="note bad" role="alert">
      {bad.slice(0, BAD_SHOWN_MAX).map(({ line, address, found }) => (
        <p key={`${line} ${address}`} className="wrap">
          {texts.paste.bad(line, typeof found === 'string' ? app.watch[found] : '')}{' '}
          <bdi className="mono">{address}</bdi>{' '}
          <button type="button" className="link" onClick={() => show(line)}>
            {texts.paste.goToLine(line)}
          </button>
        </p>
      ))}
      {bad.length > BAD_SHOWN_MAX ? <p>{texts.paste.badMore(bad.length - BAD_SHOWN_MAX)}</p> : null}
    </div>
  );
}

/** Selects the line in the field and scrolls to it. */
function showLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return;
  const { start, end, share } = placeOfLine(field.value, line);
  field.focus();
  field.setSelectionRange(start, end);
  // No browser scrolls to a selection that a script makes. Lines that wrap make this a little wrong.
  field.scrollTop = share * field.scrollHeight - field.clientHeight / 2;
}
