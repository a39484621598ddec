import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { texts } from '../texts/app/texts.ts';
import { useAccount } from './account.ts';
import { settingsEntries } from './places.ts';
import './settings-frame.css';

const GROUPS = ['workspace', 'person', 'operator'] as const;

/** The second column of the settings, and the place of their pages. */
export function SettingsFrame() {
  const account = useAccount();
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On phones the column is a line that scrolls sideways. Another page has another entry.
  useEffect(() => {
    nav.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  const shown = settingsEntries(account);
  const groups = GROUPS.map((group) => ({ group, entries: shown.filter((entry) => entry.group === group) }));
  return (
    <div className="settings">
      <nav ref={nav} className="settings-nav" aria-label={texts.settings.navigation}>
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
      </nav>
      <div className="settings-page">
        <Outlet />
      </div>
    </div>
  );
}
