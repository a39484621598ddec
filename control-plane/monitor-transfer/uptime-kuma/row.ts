import type { FieldError, FieldErrorParams } from '../../errors.js';

/** One monitor of a backup, as parsed. */
export type Row = Record<string, unknown>;

/** A monitor while it is converted. */
export interface Reading {
  row: Row;
  /** Settings that cannot be imported exactly. */
  notes: FieldError[];
}

/** Thrown for a monitor that Picket cannot import; `read.ts` catches it. */
export class Unsupported extends Error {
  readonly params: FieldErrorParams;

  /** `feature` is for pages in other languages; `value` is what the backup has. */
  constructor(message: string, feature: string, value?: string) {
    super(message);
    this.params = value === undefined ? { feature } : { feature, value };
  }
}

/** Returns text that is not blank; null for any other value. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Returns a finite number, also from text: some versions of Uptime Kuma write numbers as text. */
export function number(value: unknown): number | null {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : null;
}

/** Whether a flag is set: some versions write `true`, others 1. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}
