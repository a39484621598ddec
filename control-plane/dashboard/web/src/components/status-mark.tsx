import { texts } from '../texts/app/texts.ts';
import './status-mark.css';

export type State = keyof typeof texts.status;

/** Each state has a shape of its own, so that it reads without colour. */
const SHAPES: Record<State, { tone: string; path: string }> = {
  up: { tone: 'up', path: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z' },
  degraded: { tone: 'warning', path: 'M8 1.5 15 14H1z' },
  down: { tone: 'down', path: 'M2.5 2.5h11v11h-11z' },
  paused: { tone: 'idle', path: 'M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z' },
  unknown: { tone: 'idle', path: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8z' },
  no_probe: { tone: 'idle', path: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8z' },
  firing: { tone: 'down', path: 'M2.5 2.5h11v11h-11z' },
  resolved: { tone: 'up', path: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z' },
  silenced: { tone: 'idle', path: 'M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z' },
  acknowledged: { tone: 'idle', path: 'M2 8.5 6.5 13 14 4.5 12 2.8 6.4 9.4 3.8 6.8z' },
  critical: { tone: 'down', path: 'M2.5 2.5h11v11h-11z' },
  warning: { tone: 'warning', path: 'M8 1.5 15 14H1z' },
  info: { tone: 'info', path: 'M8 1.5 14.5 8 8 14.5 1.5 8z' },
};

/** The shape of a state, with its word; `quiet` leaves the word to screen readers. */
export function StatusMark({ state, quiet = false }: { state: State; quiet?: boolean }) {
  return <Mark as={state} word={texts.status[state]} quiet={quiet} />;
}

/** The shape of a state with a word of the part, such as "online" with the shape of "up". */
export function Mark({ as, word, quiet }: { as: State; word: string; quiet: boolean }) {
  const { tone, path } = SHAPES[as];
  return (
    <span className={`status tone-${tone}`}>
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
        <path d={path} fill="currentColor" fillRule="evenodd" />
      </svg>
      <span className={quiet ? 'only-spoken' : undefined}>{word}</span>
    </span>
  );
}
