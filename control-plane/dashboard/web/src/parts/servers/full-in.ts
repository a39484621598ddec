import type { Server } from '../../api/types.ts';
import { roughly } from './units.ts';

/** A disk that will be full later than this is no news in a list. */
const SOON_MS = 7 * 86_400_000;
/** A forecast is not more exact than this, and a disk whose time has passed is about to be full. */
const LEFT_MS_MIN = 600_000;

type Filling = Pick<Server, 'disk_forecast'>;

/** Returns how long until the disk of the forecast is full, in words; null without one that is soon. Pure. */
export function fullIn({ disk_forecast: forecast }: Filling, nowMs: number): { mount: string; left: string } | null {
  if (forecast === null) return null;
  const leftMs = Date.parse(forecast.full_at) - nowMs;
  return leftMs > SOON_MS ? null : { mount: forecast.mount, left: roughly(Math.max(leftMs, LEFT_MS_MIN)) };
}
