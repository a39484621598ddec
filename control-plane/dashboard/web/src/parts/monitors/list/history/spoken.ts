import { responseTime } from '../../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { countSteps, responseRange, type ShownSteps } from './shown-steps.ts';

/** Returns what the picture shows, in words. Pure. */
export function spoken(shown: ShownSteps | null, window: '24h' | '30d'): string {
  if (shown === null) return texts.nothingObserved;
  const bars = texts.bars(window, countSteps(shown.uptime));
  const range = responseRange(shown.response);
  if (range === null) return bars;
  return `${bars}. ${texts.line(responseTime(range.min), responseTime(range.max), responseTime(range.last))}`;
}
