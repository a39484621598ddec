import type { ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { problemText } from '../problem-note.tsx';
import { Said } from '../said.tsx';

interface SchedulePreviewProps {
  label: string;
  /** Why the API refuses the schedule; null if it does not. */
  error: Error | null;
  /** What the schedule means. */
  children: ReactNode;
}

/** What a schedule in a form means, while it is typed. */
export function SchedulePreview({ label, error, children }: SchedulePreviewProps) {
  return (
    <section className="note" aria-live="polite" aria-label={label}>
      <p className="strong">{label}</p>
      {error === null ? children : <p>{Object.values(fieldErrors(error)).join(' ') || problemText(error)}</p>}
    </section>
  );
}

/** Times in words, one a line, in the time zone of the browser. */
export function NextTimes({ times }: { times: readonly string[] }) {
  return (
    <ol className="bullets">
      {times.map((at) => (
        <li key={at}>
          <Said words={(time) => time(at, 'long')} />
        </li>
      ))}
    </ol>
  );
}
