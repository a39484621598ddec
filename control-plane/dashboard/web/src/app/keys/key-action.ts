/** Where `g` and a letter lead. Pages that an installation does not have are left out. */
export const GO_TO: Readonly<Record<string, string>> = {
  o: '/',
  m: '/monitors',
  s: '/servers',
  i: '/incidents',
  w: '/wordpress',
  b: '/blacklists',
  a: '/audit',
  ',': '/settings',
};

export type KeyAction = { do: 'palette' | 'keys' | 'filter' } | { do: 'go'; to: string };

/** A key as it was pressed, on something. */
export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether the focus is where people type, or a dialog is open. */
  isTyping: boolean;
}

/** What keys did so far: when `g` was pressed, waiting for the letter. */
export interface KeyState {
  goSinceMs: number | null;
}

/** Whoever waits longer than this between `g` and the letter means something else. */
const GO_MS_MAX = 1_500;

/** Returns what a key does after those before it; `action` is null for nothing. Pure. */
export function keyAction(
  state: KeyState,
  { key, ctrlKey, metaKey, altKey, isTyping }: PressedKey,
  nowMs: number,
): { state: KeyState; action: KeyAction | null } {
  const none: KeyState = { goSinceMs: null };
  // Works in fields too: it is no text.
  if (key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey) return { state: none, action: { do: 'palette' } };
  if (isTyping || ctrlKey || metaKey || altKey) return { state: none, action: null };
  if (state.goSinceMs !== null && nowMs - state.goSinceMs <= GO_MS_MAX) {
    const to = Object.hasOwn(GO_TO, key) ? GO_TO[key] : undefined;
    return { state: none, action: to === undefined ? null : { do: 'go', to } };
  }
  if (key === 'g') return { state: { goSinceMs: nowMs }, action: null };
  if (key === '?') return { state: none, action: { do: 'keys' } };
  if (key === '/') return { state: none, action: { do: 'filter' } };
  // Shift is part of `?`.
  return { state: key === 'Shift' ? state : none, action: null };
}
