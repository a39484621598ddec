import { useEffect, useId, useRef } from 'react';
import type { TheirChange } from './merge.ts';
import { texts } from './texts/texts.ts';
import type { Conflict } from './use-editable.ts';
import './conflict.css';

interface ConflictNoteProps {
  conflict: Conflict;
  labelOf(field: string): string;
  /** Returns a value as the form shows it, for fields whose values are not words. */
  show?(field: string, value: unknown): string | null;
}

/** What somebody else changed while this form was open, with a choice for each field. */
export function ConflictNote({ conflict, labelOf, show = () => null }: ConflictNoteProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="panel conflict" role="alert">
      <h2 ref={heading} tabIndex={-1}>
        {texts.title}
      </h2>
      <p>{texts.lead}</p>
      <ul className="stack">
        {conflict.changes.map((change) => (
          <li key={change.field}>
            <Choice
              {...{ change, conflict, label: labelOf(change.field) }}
              show={(value) => show(change.field, value) ?? shown(value)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ChoiceProps {
  change: TheirChange;
  conflict: Conflict;
  label: string;
  show(value: unknown): string;
}

function Choice({ change, conflict, label, show }: ChoiceProps) {
  const name = useId();
  const { was, theirs, mine, isMineToo } = change;
  const choices = [
    { whose: 'mine' as const, text: isMineToo ? texts.keepMine : texts.keepOld, value: mine },
    { whose: 'theirs' as const, text: texts.takeTheirs, value: theirs },
  ];
  return (
    <fieldset className="conflict-choice">
      <legend>
        <strong>{label}</strong>{' '}
        <span className="soft">{isMineToo ? `${texts.both} ${texts.was}: ${show(was)}` : texts.onlyThem}</span>
      </legend>
      {choices.map(({ whose, text, value }) => (
        <label key={whose} className="conflict-option">
          <input
            {...{ type: 'radio', name, checked: conflict.chosen(change) === whose }}
            onChange={() => conflict.choose(change, whose)}
          />
          <span>
            {text}: <bdi className="wrap strong">{show(value)}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function shown(value: unknown): string {
  if (value === true) return texts.yes;
  if (value === false) return texts.no;
  if (value === null || value === undefined || value === '') return texts.empty;
  if (Array.isArray(value)) return value.length === 0 ? texts.empty : value.map(shown).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
