import { type ComponentType, useCallback, useState } from 'react';
import type { Account } from '../../api/types.ts';
import { texts } from '../../texts/app/texts.ts';
import { PALETTE_KEY, useKeys } from '../keys/use-keys.ts';
import { useOtherTabs } from '../live/use-other-tabs.ts';
import { navEntries } from '../places.ts';
import { withStyles } from '../when-served.ts';

interface DialogProps {
  close(): void;
  showKeys(): void;
}

/** They load when they are first opened. */
const DIALOGS = {
  palette: async (): Promise<ComponentType<DialogProps>> =>
    (await withStyles(() => import('../palette/palette.tsx'))).Palette,
  keys: async (): Promise<ComponentType<DialogProps>> =>
    (await withStyles(() => import('../keys/key-list.tsx'))).KeyList,
};

/** The search button in the head, and the keys of all pages. */
export function FrameTools({ account }: { account: Account }) {
  const [Opened, setOpened] = useState<ComponentType<DialogProps> | null>(null);
  // Without a connection nothing opens, and the indicator says why.
  const open = useCallback((dialog: keyof typeof DIALOGS) => {
    DIALOGS[dialog]().then(
      (loaded) => setOpened(() => loaded),
      () => {},
    );
  }, []);
  useKeys(open, isPage);
  useOtherTabs({ workspaceId: account.workspace.id, userId: account.id });
  return (
    <>
      <button
        {...{ type: 'button', className: 'search-button' }}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => open('palette')}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path
            d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3 3"
            {...{ fill: 'none' }}
            stroke="currentColor"
          />
        </svg>
        <span className="search-label">{texts.frame.search}</span>
        <span className="search-key kbd" aria-hidden="true">
          {PALETTE_KEY}
        </span>
      </button>
      {Opened === null ? null : <Opened close={() => setOpened(null)} showKeys={() => open('keys')} />}
    </>
  );
}

function isPage(to: string): boolean {
  return navEntries().some((entry) => entry.to === to);
}
