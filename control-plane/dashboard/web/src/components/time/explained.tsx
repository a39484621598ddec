import type { ReactNode } from 'react';

interface ExplainedProps {
  /** A sentence or two. */
  text: string;
  children: ReactNode;
}

/** A word that has an explanation: shown on hover, and by `ExactTimes` when it has the focus or is tapped. */
export function Explained({ text, children }: ExplainedProps) {
  return (
    <button type="button" className="explained" title={text}>
      {children}
    </button>
  );
}
