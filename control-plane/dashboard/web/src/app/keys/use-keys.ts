import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentLanguage } from '../../texts/language.ts';
import { type KeyAction, type KeyState, keyAction } from './key-action.ts';

const TYPED_IN = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]';

/** Follows the keys of the whole page. `open` shows the palette or the list of keys. */
export function useKeys(open: (dialog: 'palette' | 'keys') => void, isPage: (to: string) => boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    let state: KeyState = { goSinceMs: null };
    const run = (action: KeyAction): boolean => {
      if (action.do === 'filter') return focusFilter();
      if (action.do === 'go') {
        if (!isPage(action.to)) return false;
        void navigate({ to: action.to });
      } else if (document.querySelector('dialog[open]') === null) {
        open(action.do);
      }
      return true;
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const isTyping =
        (event.target instanceof Element && event.target.closest(TYPED_IN) !== null) ||
        document.querySelector('dialog[open]') !== null;
      const { key, ctrlKey, metaKey, altKey } = event;
      const next = keyAction(state, { key, ctrlKey, metaKey, altKey, isTyping }, event.timeStamp);
      state = next.state;
      if (next.action !== null && run(next.action)) event.preventDefault();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [navigate, open, isPage]);
}

/** Returns whether the page has a filter. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}

/** How the key of the palette is written on this device. */
export const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent)
  ? '⌘K'
  : `${currentLanguage() === 'de' ? 'Strg' : 'Ctrl'} K`;
