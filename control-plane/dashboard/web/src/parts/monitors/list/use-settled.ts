import { startTransition, useEffect, useState } from 'react';

/** Longer than between two frames of scrolling, or between two keys of somebody who types fast. */
const STILL_MS = 120;

/**
 * Returns a value as it was when it last stayed the same for a moment. `useDeferredValue` would draw it right after what
 * is seen, which makes the next frame late.
 */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(value)), STILL_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
