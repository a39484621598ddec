import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { read } from '../../api/read.ts';
import type { Page, TimelineLine } from '../../api/types.ts';
import { Said } from '../said.tsx';
import type { TheirChange } from './merge.ts';
import { texts } from './texts/texts.ts';
import type { Conflict } from './use-editable.ts';
import './conflict.css';

/** Checks and incidents are in the timeline as well. */
const LINES_READ = 50;
const CHANGE = /^audit\.\w+\.updated$/;

interface ConflictNoteProps {
  conflict: Conflict;
  /** The object, if the timeline of the workspace says who changed it. */
  objectId?: string;
  labelOf(field: string): string;
  /** Returns a value as the form shows it, for fields whose values are not words. */
  show?(field: string, value: unknown): string | null;
}

/** What another person changed while this form was open, with a choice for each field. */
export function ConflictNote({ conflict, objectId, labelOf, show = () => null }: ConflictNoteProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="panel conflict" role="alert">
      <h2 ref={heading} tabIndex={-1}>
        {texts.title}
      </h2>
      <p>
        {objectId === undefined ? null : (
          <LastChange key={conflict.version} {...{ objectId }} version={conflict.version} />
        )}
        {texts.lead}
      </p>
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

/** Who made the last change, and when; nothing for whom the log is not. */
function LastChange({ objectId, version }: { objectId: string; version: string }) {
  const { data: line } = useQuery({
    queryKey: ['last-change', objectId, version],
    queryFn: async ({ signal }) => {
      const query = { resource_id: objectId, limit: String(LINES_READ) };
      const { data } = await read<Page<TimelineLine>>('/v1/timeline', query, signal);
      return data.find(({ type }) => CHANGE.test(type)) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (line == null) return null;
  const who = line.actor === 'system' ? texts.picket : line.actor;
  return (
    <>
      <Said words={(time) => texts.lastChange(who, time(line.at, 'at'))} />{' '}
    </>
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
