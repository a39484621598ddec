import { useId } from 'react';

interface SliderProps {
  label: string;
  min: number;
  max: number;
  value: number;
  /** The value in words. */
  shown: string;
  onChange(value: number): void;
}

/** The browser's own slider with its value in words. */
export function Slider({ label, min, max, value, shown, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className="slider">
      <label htmlFor={id}>{label}</label> <output htmlFor={id}>{shown}</output>
      <input
        {...{ id, type: 'range', min, max, step: 1, value, disabled: min >= max, 'aria-valuetext': shown }}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </div>
  );
}
