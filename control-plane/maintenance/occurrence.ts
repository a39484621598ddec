import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import { loadWindow, writeChange } from './change.js';
import type { Span, WindowDocument } from './documents.js';
import type { WindowNeeds } from './needs.js';
import { spansOf } from './schedule/occurrences.js';
import { ONCE_DAYS_MAX } from './schema.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Ends the occurrence under way now. A window that repeats has its next one as planned. */
export async function endWindow(
  needs: WindowNeeds,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<WindowDocument> {
  const window = await loadWindow(needs, tx, actor, id, ifVersion);
  const nowMs = needs.clock.now();
  const current = currentSpan(window, nowMs);
  const change = window.recurrence === null ? { ends_at_ms: nowMs } : endedAt(window, nowMs);
  const changed = await writeChange(needs, tx, window, change);
  const times = { planned_end: toIso(current.to_ms), ended_at: toIso(nowMs) };
  await needs.audit.record(tx, actor, audited('maintenance.ended', changed, times));
  return changed;
}

/** Ends the added time, too, and cuts nothing of occurrences that begin later. */
function endedAt(window: WindowDocument, nowMs: number): Pick<WindowDocument, 'cut' | 'extension'> {
  const { extension } = window;
  const [planned] = spansOf({ ...window, extension: null, cut: null }, nowMs, nowMs + 1);
  return {
    extension: extension === null || extension.to_ms <= nowMs ? extension : { ...extension, to_ms: nowMs },
    cut: planned === undefined ? window.cut : { from_ms: nowMs, to_ms: planned.to_ms },
  };
}

/** Lets the occurrence under way end later. */
export async function extendWindow(
  needs: WindowNeeds,
  tx: Transaction,
  actor: Actor,
  { id, minutes, ifVersion }: { id: string; minutes: number; ifVersion: number | null },
): Promise<WindowDocument> {
  const window = await loadWindow(needs, tx, actor, id, ifVersion);
  const current = currentSpan(window, needs.clock.now());
  const to_ms = current.to_ms + minutes * MINUTE_MS;
  if (to_ms - current.from_ms > ONCE_DAYS_MAX * DAY_MS) {
    throw new AppError('conflict', `Maintenance can last at most ${ONCE_DAYS_MAX} days.`);
  }
  const change =
    window.recurrence === null ? { ends_at_ms: to_ms } : { extension: { from_ms: current.from_ms, to_ms } };
  const changed = await writeChange(needs, tx, window, change);
  const times = { minutes, from: toIso(current.to_ms), to: toIso(to_ms) };
  await needs.audit.record(tx, actor, audited('maintenance.extended', changed, times));
  return changed;
}

/** Throws 409 when no occurrence is under way. */
function currentSpan(window: WindowDocument, nowMs: number): Span {
  const [current] = spansOf(window, nowMs, nowMs + 1);
  if (current === undefined) throw new AppError('conflict', 'The maintenance window is not active now.');
  return current;
}
