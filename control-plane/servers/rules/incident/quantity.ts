import { duration } from '../../../duration.js';

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Returns a value with its unit: `97.2 %`, `1.5 GiB`, `12 MiB/s`, `4 h 10 min`. */
export function quantity(value: number, unit: string): string {
  switch (unit) {
    case 'percent':
      return `${digits(value, 2)} %`;
    case 'bytes':
      return bytes(value);
    case 'bytes_per_second':
      return `${bytes(value)}/s`;
    case 'seconds':
      return duration(value * 1_000);
    default:
      return digits(value, 2);
  }
}

/** Returns a number with at most so many decimals. */
export function digits(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}

function bytes(value: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, value)) / 10)));
  return `${digits(value / 1_024 ** power, 1)} ${BYTE_UNITS[power]}`;
}
