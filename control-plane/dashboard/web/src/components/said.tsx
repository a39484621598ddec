import { Fragment } from 'react';
import { type Said as Sentence, say, type TimeMark, timeText } from '../texts/said.ts';
import { ExactTime } from './time/exact-time.tsx';

interface SaidProps {
  /** A sentence in pieces, or a function that makes it with the catalogue: `(time) => texts.until(time(expiresAt))`. */
  words: Sentence | ((time: TimeMark) => string);
  /** Within a link or a summary, which takes the focus itself. */
  isInLink?: boolean;
}

/** A sentence of the catalogue, whose times show the exact time as those elsewhere do. */
export function Said({ words, isInLink = false }: SaidProps) {
  const pieces = typeof words === 'function' ? say(words) : words;
  const now = Date.now();
  return pieces.map((piece, index) => {
    // The pieces of a sentence never change their order.
    const key = index;
    return typeof piece === 'string' ? (
      <Fragment key={key}>{piece}</Fragment>
    ) : (
      <ExactTime key={key} at={piece.at} isInLink={isInLink}>
        {timeText(piece, now)}
      </ExactTime>
    );
  });
}
