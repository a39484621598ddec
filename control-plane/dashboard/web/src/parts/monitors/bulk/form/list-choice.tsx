import { NativeSelect } from '@mantine/core';
import { Check } from '../../edit/check.tsx';
import { texts } from '../texts/texts.ts';

interface ListChoiceProps {
  name: string;
  label: string;
  /** Undefined: each monitor keeps its own. */
  value: readonly string[] | null | undefined;
  /** What stands for all of them, also future ones; null if there is no such value. */
  every: string | null;
  options: readonly { value: string; label: string }[];
  /** What is wrong, or worth knowing, about these. */
  note: string | undefined;
  change(value: readonly string[] | null | undefined): void;
}

/** Several of a list: each monitor keeps its own, all get the same ones, or every one. */
export function ListChoice({ name, label, value, every, options, note, change }: ListChoiceProps) {
  const mode = value === undefined ? 'keep' : value === null ? 'every' : 'these';
  const toggle = (one: string, chosen: readonly string[]) =>
    change((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).sort());
  return (
    <div className="bulk-text">
      <NativeSelect
        {...{ name, label, value: mode }}
        data={[
          { value: 'keep', label: texts.form.keep },
          { value: 'these', label: texts.form.these },
          ...(every === null ? [] : [{ value: 'every', label: every }]),
        ]}
        onChange={({ currentTarget: { value: next } }) =>
          change(next === 'these' ? [] : next === 'every' ? null : undefined)
        }
      />
      {mode === 'these' ? (
        <fieldset className="edit-checks">
          <legend className="only-spoken">{label}</legend>
          {options.map((option) => (
            <Check
              key={option.value}
              label={option.label}
              isOn={value?.includes(option.value) ?? false}
              toggle={() => toggle(option.value, value ?? [])}
            />
          ))}
          {note === undefined ? null : (
            <p className="tone-warning" role="alert">
              {note}
            </p>
          )}
        </fieldset>
      ) : null}
    </div>
  );
}
