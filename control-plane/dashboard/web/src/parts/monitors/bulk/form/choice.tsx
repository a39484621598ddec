import { NativeSelect, TextInput } from '@mantine/core';
import { texts } from '../texts/texts.ts';

interface ChoiceProps<Value> {
  name: string;
  label: string;
  /** Undefined: it stays as it is in each monitor. */
  value: Value | undefined;
  options: readonly { value: Value; label: string }[];
  change(value: Value | undefined): void;
}

const KEEP = 'keep';

/** A setting that stays as it is in each monitor, or becomes one of these values. */
export function Choice<Value>({ name, label, value, options, change }: ChoiceProps<Value>) {
  const chosen = options.findIndex((option) => option.value === value);
  return (
    <NativeSelect
      {...{ name, label, value: chosen < 0 ? KEEP : String(chosen) }}
      data={[
        { value: KEEP, label: texts.form.keep },
        ...options.map((option, index) => ({ value: String(index), label: option.label })),
      ]}
      onChange={({ currentTarget }) => change(options[Number(currentTarget.value)]?.value)}
    />
  );
}

interface TextChoiceProps {
  name: string;
  label: string;
  value: string | null | undefined;
  error: string | undefined;
  /** What stands for none; null if there must be a text. */
  none: string | null;
  maxLength: number;
  change(value: string | null | undefined): void;
}

/** A text that stays as it is in each monitor, becomes another, or becomes none. */
export function TextChoice({ name, label, value, error, none, maxLength, change }: TextChoiceProps) {
  const isText = typeof value === 'string';
  return (
    <div className="bulk-text">
      <NativeSelect
        {...{ name, label, value: isText ? 'text' : value === null ? 'none' : KEEP }}
        data={[
          { value: KEEP, label: texts.form.keep },
          { value: 'text', label: texts.form.setTo },
          ...(none === null ? [] : [{ value: 'none', label: none }]),
        ]}
        onChange={({ currentTarget: { value: mode } }) =>
          change(mode === 'text' ? '' : mode === 'none' ? null : undefined)
        }
      />
      {isText ? (
        <TextInput
          {...{ 'aria-label': label, value, maxLength, error, autoComplete: 'off', spellCheck: false }}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : null}
    </div>
  );
}
