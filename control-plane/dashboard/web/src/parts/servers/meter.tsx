import { toneOf } from './order.ts';
import { texts } from './texts/texts.ts';
import { share } from './units.ts';

interface MeterProps {
  label: string;
  /** null: the agent does not measure it. */
  percent: number | null;
  /** Whether the values are those of a server that no longer sends any. */
  isOld: boolean;
}

/** A bar of a percentage with its number. The number, not the colour, is what it says. */
export function Meter({ label, percent, isOld }: MeterProps) {
  const value = percent === null ? '–' : share(percent);
  const said = texts.value(label, percent === null ? texts.unavailable : value);
  const width = `${Math.min(100, Math.max(0, percent ?? 0))}%`;
  return (
    <span className={`meter meter-${isOld ? 'old' : toneOf(percent)}`} title={said}>
      <span className="only-spoken">{said}</span>
      <span className="meter-label soft" aria-hidden="true">
        {label}
      </span>
      <span className="meter-track" aria-hidden="true">
        <span className="meter-fill" style={{ width }} />
      </span>
      <span className="meter-value" aria-hidden="true">
        {value}
      </span>
    </span>
  );
}
