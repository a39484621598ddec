import { currentLocale } from '../../texts/language.ts';

const LOCALE = currentLocale();
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const seconds = new Intl.DateTimeFormat(LOCALE, {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
});
const minutes = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const dayAndMinutes = new Intl.DateTimeFormat(LOCALE, {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

/** Returns the labels of an axis in the viewer's zone: the day where one begins, otherwise the time of day. */
export function axisLabels(splits: readonly number[], stepMs: number): string[] {
  return splits.map((ms) => {
    const at = new Date(ms);
    if (stepMs >= DAY_MS || (at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0))
      return day.format(at);
    return (stepMs < MINUTE_MS ? seconds : minutes).format(at);
  });
}

/** Returns a time of the chart in the viewer's zone: `10:20`, in ranges of more than a day with its day. */
export function chartTime(ms: number, spanMs: number): string {
  if (spanMs > DAY_MS / 2) return dayAndMinutes.format(ms);
  return (spanMs > 60 * MINUTE_MS ? minutes : seconds).format(ms);
}
