import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { firingQuery } from '../../api/queries.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { texts } from '../../texts/app/texts.ts';
import { number } from '../../texts/format.ts';
import type { NavEntry } from '../part.ts';
import { FIRST_APART, navEntries } from '../places.ts';

const WIDTH_ICON = 'M2.5 2.5h11v11h-11zM6.5 2.5v11';
const MORE_ICON = 'M2.5 8H4M7.25 8h1.5M12 8h1.5';

interface NavigationProps {
  isSignedIn: boolean;
  /** Whether it shows only icons. Phones have a bar at the bottom instead. */
  isNarrow: boolean;
  toggle(): void;
}

export function Navigation({ isSignedIn, isNarrow, toggle }: NavigationProps) {
  const entries = navEntries();
  const others = entries.filter(({ isOnPhones }) => !isOnPhones);
  const width = isNarrow ? texts.frame.widen : texts.frame.narrow;
  return (
    <nav className="frame-nav" aria-label={texts.frame.navigation}>
      <div className="frame-nav-inner">
        <Link to="/" className="brand">
          <span className="brand-mark" aria-hidden="true" />
          <span className="nav-label">Picket</span>
        </Link>
        <ul>
          {entries.map((entry) => (
            <li key={entry.to} className={classOf(entry)}>
              <Entry entry={entry} isNarrow={isNarrow} isSignedIn={isSignedIn} />
            </li>
          ))}
          {others.length === 0 ? null : (
            <li className="nav-more">
              <More entries={others} />
            </li>
          )}
        </ul>
        <button type="button" className="nav-link nav-width" title={width} aria-pressed={isNarrow} onClick={toggle}>
          <Icon path={WIDTH_ICON} />
          <span className="nav-label">{texts.frame.narrow}</span>
        </button>
      </div>
    </nav>
  );
}

/** Phones show some entries; what is about Picket itself is set apart from what it watches. */
function classOf({ to, isOnPhones }: NavEntry): string | undefined {
  if (isOnPhones) return undefined;
  return to === FIRST_APART ? 'nav-wide nav-apart' : 'nav-wide';
}

interface EntryProps {
  entry: NavEntry;
  isNarrow: boolean;
  isSignedIn: boolean;
}

function Entry({ entry: { to, label, icon, isExact }, isNarrow, isSignedIn }: EntryProps) {
  return (
    <Link
      {...{ to, className: 'nav-link', title: isNarrow ? label : undefined }}
      activeOptions={{ exact: isExact, includeSearch: false }}
    >
      <Icon path={icon} />
      <span className="nav-label">{label}</span>
      {to === '/incidents' && isSignedIn ? <FiringCount /> : null}
    </Link>
  );
}

function FiringCount() {
  const firing = useQuery(firingQuery).data;
  if (firing === undefined || firing.data.length === 0) return null;
  const count = firing.data.length;
  const hasMore = firing.next_cursor !== null;
  return (
    <span className="nav-count">
      <span aria-hidden="true">{`${number(count)}${hasMore ? '+' : ''}`}</span>
      <span className="only-spoken">{hasMore ? texts.frame.moreFiring(count) : texts.frame.firing(count)}</span>
    </span>
  );
}

/** The entries for which the bar of a phone has no room. */
function More({ entries }: { entries: readonly NavEntry[] }) {
  const { pathname } = useLocation();
  const isHere = entries.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  const label = (
    <>
      <Icon path={MORE_ICON} />
      <span className="nav-label">{texts.frame.more}</span>
    </>
  );
  return (
    <Disclosure className={isHere ? 'nav-link active' : 'nav-link'} label={label}>
      {entries.map(({ to, label, icon, isExact }) => (
        <Link key={to} to={to} className="menu-item" activeOptions={{ exact: isExact, includeSearch: false }}>
          <span>{label}</span>
          <Icon path={icon} />
        </Link>
      ))}
    </Disclosure>
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  );
}
