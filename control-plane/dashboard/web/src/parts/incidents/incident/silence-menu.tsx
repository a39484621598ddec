import { Button } from '@mantine/core';
import { Disclosure } from '../../../components/disclosure.tsx';
import { duration } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';

const MINUTE_MS = 60_000;
const CHOICES_MIN = [30, 120, 480, null] as const;

interface SilenceMenuProps {
  isPending: boolean;
  silence(forMinutes: number | null): void;
}

/** For how long the incident sends no notifications. */
export function SilenceMenu({ isPending, silence }: SilenceMenuProps) {
  return (
    <Disclosure className="menu-button" label={texts.silence}>
      <p className="menu-title">{texts.silenceHelp}</p>
      {CHOICES_MIN.map((minutes) => (
        <Button
          {...{ key: String(minutes), variant: 'subtle', fullWidth: true, justify: 'start', loading: isPending }}
          onClick={() => silence(minutes)}
        >
          {minutes === null ? texts.untilResolved : texts.forTime(duration(minutes * MINUTE_MS))}
        </Button>
      ))}
    </Disclosure>
  );
}
