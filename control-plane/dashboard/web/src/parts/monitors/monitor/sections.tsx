import { Link } from '@tanstack/react-router';
import { texts } from '../../../texts/app/texts.ts';
import { words } from './texts/texts.ts';

/** The parts of the page below its charts, by the ids of their panels. */
const SECTIONS: readonly (readonly [id: string, label: string])[] = [
  ['locations', texts.monitor.locations],
  ['incidents', texts.monitor.incidents],
  ['backtest', words.backtest.short],
  ['settings', texts.monitor.settings],
  ['results', texts.monitor.results],
];

/** What the page has below its charts, so that nobody has to scroll to learn of it. */
export function Sections() {
  return (
    <nav className="sections" aria-label={words.sections}>
      {SECTIONS.map(([id, label]) => (
        <Link
          key={id}
          {...{ to: '.', search: true, hash: id, className: 'section-link' }}
          activeOptions={{ includeHash: true }}
          onClick={() => focusOn(id)}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** The next Tab goes on within the part, and screen readers begin there. */
function focusOn(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true });
}
