import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkChange } from '../../../../api/types.ts';
import { LoadProblem } from '../../../../components/problem-note.tsx';
import { namedFieldError } from '../../../../texts/fields/field-sentence.ts';
import { texts } from '../texts/texts.ts';
import { changeQuery, isRunning } from './queries.ts';

/** The monitors that a change or its undo left as they were or restored only in part, and why. They are read when somebody wants to know. */
export function Exceptions({ change }: { change: BulkChange }) {
  const [isOpen, setOpen] = useState(false);
  const { id, skipped, kept, without_channels } = change;
  const count = skipped + kept + without_channels;
  if (isRunning(change) || count === 0) return null;
  return (
    <div>
      <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? texts.list.hideLeftOut : texts.list.showLeftOut}
      </button>
      {isOpen ? <Named id={id} count={count} /> : null}
    </div>
  );
}

function Named({ id, count }: { id: string; count: number }) {
  const { data, error } = useQuery(changeQuery(id));
  const named = data?.exceptions ?? [];
  const others = count - named.length;
  return (
    <>
      <LoadProblem error={data === undefined ? error : null} />
      <ul className="bullets">
        {named.map((one) => (
          <li key={one.id} className="wrap">
            <bdi className="strong">{one.name}</bdi>:{' '}
            {one.errors.length === 0 ? one.reason : one.errors.map(namedFieldError).join(' ')}
          </li>
        ))}
      </ul>
      {data === undefined || others <= 0 ? null : <p className="soft">{texts.list.others(others)}</p>}
    </>
  );
}
