import { useSyncExternalStore } from 'react';
import { texts } from '../texts/app/texts.ts';
import { SlowAction } from './slow-action.tsx';
import './toasts.css';

/** How long a message stays. One that can be undone stays longer; all stay while the pointer or the focus is on them. */
const SHOWN_MS = 6_000;
const UNDOABLE_MS = 15_000;
const TOASTS_MAX = 3;

/** Something that was done, in words. `undo` takes it back; null if there is no way back. */
export interface Toast {
  text: string;
  undo: (() => void) | null;
}

interface ShownToast extends Toast {
  id: number;
}

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();

function show(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function remove(id: number): void {
  hold(id);
  show(shown.filter((toast) => toast.id !== id));
}

function hold(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

function release({ id, undo }: ShownToast): void {
  hold(id);
  timers.set(
    id,
    setTimeout(() => remove(id), undo === null ? SHOWN_MS : UNDOABLE_MS),
  );
}

/** Shows a message at the edge of the window, and speaks it. */
export function toast(message: Toast): void {
  lastId += 1;
  const added = { ...message, id: lastId };
  for (const { id } of shown.slice(0, -(TOASTS_MAX - 1))) hold(id);
  show([...shown.slice(-(TOASTS_MAX - 1)), added]);
  release(added);
}

/** The place of the messages. It is there from the start, so that screen readers watch it. */
export function Toasts() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className="toasts" role="status">
      {toasts.map((one) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only keeps the message in the page.
        <div
          key={one.id}
          className="toast"
          onPointerEnter={() => hold(one.id)}
          onPointerLeave={() => release(one)}
          onFocus={() => hold(one.id)}
          onBlur={() => release(one)}
        >
          <span className="wrap">{one.text}</span>
          {one.undo === null ? null : (
            <button
              type="button"
              className="toast-button"
              onClick={() => {
                remove(one.id);
                one.undo?.();
              }}
            >
              {texts.toasts.undo}
            </button>
          )}
          <button type="button" className="toast-button" aria-label={texts.toasts.close} onClick={() => remove(one.id)}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
      ))}
      <SlowAction />
    </div>
  );
}
