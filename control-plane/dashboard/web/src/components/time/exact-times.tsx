import { useEffect, useState } from 'react';
import { exactTime } from '../../texts/format.ts';
import './exact-times.css';

/** Enough for the two lines of the longest exact time, and for an explanation, so that they stay within the window. */
const WIDTH_PX = 340;
const HEIGHT_PX = { time: 56, explanation: 120 };
const EDGE_PX = 8;

interface Shown {
  text: string;
  left: number;
  top: number;
}

/**
 * The one tooltip of the page, for what has the focus or was tapped: the exact time of a time, also in UTC, or the
 * explanation of a word.
 */
export function ExactTimes() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => follow(setShown), []);
  return shown === null ? null : (
    <span role="tooltip" className="time-exact" style={{ left: shown.left, top: shown.top }}>
      {shown.text}
    </span>
  );
}

/** Follows the focus, taps and scrolling; returns how to stop. */
function follow(show: (shown: Shown | null) => void): () => void {
  let explained: HTMLElement | null = null;
  const choose = (next: HTMLElement | null) => {
    explained = next;
    show(next === null ? null : placeAt(next));
  };
  const focus = ({ target }: Event) => choose(target instanceof HTMLElement ? explainedWithFocus(target) : null);
  const tap = ({ target }: Event) => {
    const tapped = target instanceof HTMLElement ? target.closest<HTMLElement>('time, .explained') : null;
    if (tapped !== null && (tapped.matches('.explained') || tapped.closest(OPENS) === null)) choose(tapped);
    // Safari gives no focus to a button that is tapped, so none is lost by a tap elsewhere.
    else if (tapped === null && !isByFocus(explained)) close();
  };
  const close = () => choose(null);
  const closeWithEscape = ({ key }: KeyboardEvent) => (key === 'Escape' ? close() : undefined);
  const move = () => (explained === null ? undefined : choose(explained));
  const listeners = [
    ['focusin', focus],
    ['focusout', close],
    ['click', tap],
    ['keydown', closeWithEscape],
    ['resize', move],
  ] as [string, EventListener][];
  for (const [name, listener] of listeners) addEventListener(name, listener);
  addEventListener('scroll', move, true);
  return () => {
    for (const [name, listener] of listeners) removeEventListener(name, listener);
    removeEventListener('scroll', move, true);
  };
}

/** What does something else when it is tapped. */
const OPENS = 'a, button, summary';

/**
 * Returns the word or time that the focus is on: itself, or the first one of a button or summary that takes the focus as a whole.
 * A row that is a link opens a page with its times; a tooltip at each step through a list would hide the rows.
 */
function explainedWithFocus(target: HTMLElement): HTMLElement | null {
  if (target instanceof HTMLTimeElement || target.matches('.explained')) return target;
  return target.matches('button, summary') && target.matches(':focus-visible') ? target.querySelector('time') : null;
}

function isByFocus(explained: HTMLElement | null): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && explainedWithFocus(activeElement) === explained;
}

/** Returns where the explanation fits: below, or above at the lower edge of the window; null out of the window. */
function placeAt(element: HTMLElement): Shown | null {
  const { left, top, bottom, width } = element.getBoundingClientRect();
  const isTime = element instanceof HTMLTimeElement;
  const height = isTime ? HEIGHT_PX.time : HEIGHT_PX.explanation;
  if (width === 0 || bottom < 0 || top > innerHeight) return null;
  const isBelow = bottom + height + EDGE_PX < innerHeight;
  return {
    text: isTime ? exactTime(element.dateTime) : element.title,
    left: Math.max(EDGE_PX, Math.min(left, innerWidth - WIDTH_PX - EDGE_PX)),
    top: isBelow ? bottom + 4 : Math.max(EDGE_PX, top - height - 4),
  };
}
