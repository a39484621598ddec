import type { ReactNode } from 'react';
import './form-panel.css';

interface CheckProps {
  type?: 'checkbox' | 'radio';
  name: string;
  isOn: boolean;
  change(isOn: boolean): void;
  label: ReactNode;
  help?: ReactNode;
  isDisabled?: boolean;
}

/** A box to tick, or one of several options, with its label and what it means. */
export function Check({ type = 'checkbox', name, isOn, change, label, help, isDisabled = false }: CheckProps) {
  return (
    <label className="check">
      <input
        {...{ type, name, checked: isOn, disabled: isDisabled }}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      <span className="wrap">
        {label}
        {help === undefined ? null : <span className="row-detail">{help}</span>}
      </span>
    </label>
  );
}
