import { useEffect, useRef, useState } from 'react';

/**
 * Returns the text of a field whose value is in the URL, and what sets it. `change` gets the text when typing has paused
 * for `pauseMs`. The field follows links and the history of the browser.
 */
export function useTyped(
  value: string,
  change: (value: string) => void,
  pauseMs: number,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(value);
  /** What this field last wrote into the URL: another text there comes from a link or from the history. */
  const written = useRef(value);
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    if (value === written.current) return;
    written.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === written.current) return;
    const timer = setTimeout(() => {
      written.current = wanted;
      latest.current(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, pauseMs]);
  return [typed, setTyped];
}
