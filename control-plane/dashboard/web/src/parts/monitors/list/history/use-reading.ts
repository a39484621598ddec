import { useState } from 'react';
import { milliseconds, percent } from '../../../../texts/format.ts';
import { currentLocale } from '../../../../texts/language.ts';
import type { Listed } from '../listed.ts';
import { texts } from '../texts/texts.ts';
import type { HistoryCache } from './history-cache.ts';
import { nextStep, shownSteps } from './shown-steps.ts';

const HOUR = new Intl.DateTimeFormat(currentLocale(), {
  ...{ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
const DAY = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short', day: 'numeric', month: 'short' });

interface Reading {
  /** What the latest bar says; empty before the first. */
  text: string;
  /** Reads the next bar of a row, or the one before it. Returns false if there is none. */
  move(row: Listed, step: 1 | -1): boolean;
}

/** Reads the bars of a row, one after the other, beginning with the latest. */
export function useReading(history: HistoryCache, window: '24h' | '30d'): Reading {
  const [place, setPlace] = useState<{ id: string; index: number } | null>(null);
  const [text, setText] = useState('');
  return {
    text,
    move(row, step) {
      const { id, name } = row.monitor;
      const steps = history.get(id);
      const shown = shownSteps(row, steps, window);
      if (shown === null || steps === null || steps === undefined) return false;
      const index = nextStep(place?.id === id ? place.index : null, step, shown.uptime.length);
      const atMs = Date.parse(steps.from) + index * steps.step_seconds * 1_000;
      const uptime = shown.uptime[index] ?? null;
      const ms = shown.response[index] ?? null;
      setPlace({ id, index });
      setText(
        texts.bar(name, (window === '24h' ? HOUR : DAY).format(atMs), uptime === null ? null : percent(uptime)) +
          (ms === null ? '' : `, ${milliseconds(ms)}`),
      );
      return true;
    },
  };
}
