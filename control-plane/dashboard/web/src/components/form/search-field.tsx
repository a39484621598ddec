import { TextInput } from '@mantine/core';
import { useTyped } from './use-typed.ts';

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
  const [typed, setTyped] = useTyped(value, change, TYPING_MS);
  return (
    <TextInput
      {...{ className: 'grow', type: 'search', value: typed, placeholder: label, 'aria-label': label }}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
