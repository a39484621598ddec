import { type ReactNode, useEffect, useId, useState } from 'react';
import { exactTime } from '../texts/format.ts';
import './exact-time.css';

/** Enough for the two lines of the longest exact time, so that they stay within the window. */
const WIDTH_PX = 340;
const HEIGHT_PX = 56;
const EDGE_PX = 8;

interface ExactTimeProps {
  at: string;
  children: ReactNode;
}

/** A time as the page writes it, which shows the exact one, also in UTC, when it has the focus or is tapped. */
export function ExactTime({ at, children }: ExactTimeProps) {
  const id = useId();
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  const isOpen = place !== null;
  useEffect(() => {
    if (!isOpen) return;
    const close = () => setPlace(null);
    const closeWithEscape = ({ key }: KeyboardEvent) => (key === 'Escape' ? close() : undefined);
    addEventListener('scroll', close, true);
    addEventListener('keydown', closeWithEscape);
    return () => {
      removeEventListener('scroll', close, true);
      removeEventListener('keydown', closeWithEscape);
    };
  }, [isOpen]);
  return (
    <>
      <time
        {...{ dateTime: at, title: exactTime(at), className: 'time' }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what a tooltip says must be reachable by keyboard and by touch.
        tabIndex={0}
        aria-describedby={isOpen ? id : undefined}
        onFocus={({ currentTarget }) => setPlace(placeAt(currentTarget.getBoundingClientRect()))}
        onBlur={() => setPlace(null)}
      >
        {children}
      </time>
      {place === null ? null : (
        <span id={id} role="tooltip" className="time-exact" style={place}>
          {exactTime(at)}
        </span>
      )}
    </>
  );
}

/** Returns where the exact time fits: below, or above at the lower edge of the window. */
function placeAt({ left, top, bottom }: DOMRect): { left: number; top: number } {
  const isBelow = bottom + HEIGHT_PX + EDGE_PX < innerHeight;
  return {
    left: Math.max(EDGE_PX, Math.min(left, innerWidth - WIDTH_PX - EDGE_PX)),
    top: isBelow ? bottom + 4 : Math.max(EDGE_PX, top - HEIGHT_PX - 4),
  };
}
