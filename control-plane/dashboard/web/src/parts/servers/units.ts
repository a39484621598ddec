import { duration } from '../../texts/format.ts';
import { currentLocale } from '../../texts/language.ts';

const LOCALE = currentLocale();
const KIB = 1_024;
const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const KILO = 1_000;
const RATES = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });

/** `7.8 GiB`: powers of 1024, as the tools of Linux show sizes. */
export const bytes = (value: number): string => scaled(value, KIB, SIZES);

/** `1.2 MB/s`: powers of 1000, as links are rated. */
export const rate = (value: number): string => scaled(value, KILO, RATES);

function scaled(value: number, base: number, units: readonly string[]): string {
  const power = value < base ? 0 : Math.min(units.length - 1, Math.floor(Math.log(value) / Math.log(base)));
  const part = value / base ** power;
  return `${(part < 10 && power > 0 ? tenths : whole).format(part)} ${units[power]}`;
}

/** `73 %`: without decimals, because the next sample differs. */
export const share = (value: number): string => `${whole.format(value)} %`;

/** `0.42` */
export const load = (value: number): string => hundredths.format(value);

/** `9 h`, `3 d`: how long until something that is estimated. */
export function roughly(ms: number): string {
  const unit = ms >= 2 * DAY_MS ? DAY_MS : ms >= 2 * HOUR_MS ? HOUR_MS : 1;
  return duration(Math.round(ms / unit) * unit);
}
