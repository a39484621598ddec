import { useLocation } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useState } from 'react';

/** More places than a person goes back to. */
const PLACES_MAX = 100;

/** What pages leave behind for when the person comes back to them, until the tab loads again. */
interface Kept {
  read(place: string): unknown;
  keep(place: string, value: unknown): void;
}

export function createKept(): Kept {
  const values = new Map<string, unknown>();
  return {
    read: (place) => values.get(place),
    keep(place, value) {
      values.delete(place);
      values.set(place, value);
      for (const oldest of values.keys()) if (values.size > PLACES_MAX) values.delete(oldest);
    },
  };
}

export const KeptContext = createContext<Kept>({ read: () => undefined, keep: () => {} });

/**
 * Like `useState`, but the value is there again when the person comes back to this page in the history of the tab. A page
 * that is opened anew begins with `initial`. `name` is one of the page.
 */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const kept = useContext(KeptContext);
  const place = useLocation({ select: ({ state }) => `${state.__TSR_key} ${name}` });
  const [value, setValue] = useState(() => (kept.read(place) as Value | undefined) ?? initial);
  useEffect(() => kept.keep(place, value), [kept, place, value]);
  return [value, setValue];
}
