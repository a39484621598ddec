import { useEffect, useRef } from 'react';

export type ListAction = 'next' | 'previous' | 'select' | 'open' | 'earlier' | 'later';

const ACTIONS: Record<string, ListAction> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  x: 'select',
  Enter: 'open',
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
};

/**
 * Calls `act` for the keys of a list, wherever the focus is, except in what takes text and in dialogs. Where it returns false,
 * the key keeps its usual meaning.
 */
export function useListKeys(act: (action: ListAction) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = ACTIONS[event.key];
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (takesKeys(event.target)) return;
      if (latest.current(action)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether an element uses these keys itself: fields, menus and everything in a dialog. */
function takesKeys(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return (
    target.closest('input, textarea, select, [contenteditable], dialog, [role="dialog"], [role="radiogroup"]') !== null
  );
}
