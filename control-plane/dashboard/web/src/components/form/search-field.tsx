import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 200;

interface SearchFieldProps {
  label: string;
  /** The text in the URL. */
  value: string;
  /** Called when typing has paused. */
  change(value: string): void;
}

/** A field whose text is in the URL. It follows links and the history of the browser. */
export function SearchField({ label, value, change }: SearchFieldProps) {
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
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      {...{ className: 'grow', type: 'search', value: typed, placeholder: label, 'aria-label': label }}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
