import type { ReactNode } from 'react';
import { Check } from './check.tsx';

/** What can be chosen, by its id. */
export interface Option {
  id: string;
  name: string;
}

interface ChoicesProps {
  label: string;
  /** Whether the label is shown, or only read out because the same text stands above. */
  isLabelShown: boolean;
  options: readonly Option[];
  chosen: readonly string[];
  change(chosen: string[]): void;
  /** Names what was chosen and does not exist any more, which can only be taken away. Without it, that is not shown. */
  deletedName?: string;
  className: string;
  /** What stands here when there is nothing to choose. */
  empty?: ReactNode;
}

/** Boxes to tick. */
export function Choices(props: ChoicesProps) {
  const { label, isLabelShown, options, chosen, change, deletedName, className, empty = null } = props;
  const gone = chosen.filter((id) => !options.some((option) => option.id === id));
  const all = [...options, ...(deletedName === undefined ? [] : gone.map((id) => ({ id, name: deletedName })))];
  if (all.length === 0) return empty;
  return (
    <fieldset className={`form-choices ${className}`} aria-label={isLabelShown ? undefined : label}>
      {isLabelShown ? <legend>{label}</legend> : null}
      {all.map(({ id, name }) => (
        <Check
          key={id}
          name={id}
          label={<bdi>{name}</bdi>}
          isOn={chosen.includes(id)}
          change={(isOn) => change(isOn ? [...chosen, id] : chosen.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  );
}
