import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { texts } from '../../texts/app/texts.ts';
import { useAccount } from '../account.ts';
import type { SettingsEntry } from '../part.ts';
import { settingsEntries } from '../places.ts';
import './settings-frame.css';

const GROUPS = ['workspace', 'person', 'operator'] as const;

/** The second column of the settings, and the place of their pages. */
export function SettingsFrame() {
  const shown = settingsEntries(useAccount());
  const { pathname } = useLocation();
  return (
    <div className="settings">
      <SettingsNav shown={shown} pathname={pathname} />
      <div className="settings-page">
        <Outlet />
      </div>
    </div>
  );
}

interface SettingsNavProps {
  shown: readonly SettingsEntry[];
  pathname: string;
}

/** All pages of the settings. Where they have no column, a button says which one this is, and opens the list. */
function SettingsNav({ shown, pathname }: SettingsNavProps) {
  const [openAt, setOpenAt] = useState<string | null>(null);
  // Another page closes it.
  const isOpen = openAt === pathname;
  const here = entryOf(pathname, shown);
  const nav = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpenAt(null);
      button.current?.focus();
    };
    const closeElsewhere = ({ target }: Event) => {
      if (target instanceof Node && nav.current?.contains(target) === false) setOpenAt(null);
    };
    document.addEventListener('keydown', closeByKey);
    document.addEventListener('pointerdown', closeElsewhere);
    return () => {
      document.removeEventListener('keydown', closeByKey);
      document.removeEventListener('pointerdown', closeElsewhere);
    };
  }, [isOpen]);
  const groups = GROUPS.map((group) => ({ group, entries: shown.filter((entry) => entry.group === group) }));
  return (
    <nav ref={nav} className="settings-nav" aria-label={texts.settings.navigation}>
      <button
        {...{
          ref: button,
          type: 'button',
          className: 'menu-button settings-here',
          'aria-expanded': isOpen,
          'aria-controls': id,
        }}
        onClick={() => setOpenAt(isOpen ? null : pathname)}
      >
        <span className="soft">{here === undefined ? '' : `${texts.settings.groups[here.group]}:`}</span>{' '}
        <span className="strong">{here?.label ?? texts.settings.navigation}</span>
      </button>
      <div id={id} className={isOpen ? 'settings-groups open' : 'settings-groups'}>
        {groups
          .filter(({ entries }) => entries.length > 0)
          .map(({ group, entries }) => (
            <div key={group}>
              <p className="settings-group" id={`settings-${group}`}>
                {texts.settings.groups[group]}
              </p>
              <ul aria-labelledby={`settings-${group}`}>
                {entries.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to} className="settings-link" activeOptions={{ includeSearch: false }}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </div>
    </nav>
  );
}

/** Returns undefined for a page that does not exist. */
function entryOf(pathname: string, shown: readonly SettingsEntry[]): SettingsEntry | undefined {
  return shown.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
}
