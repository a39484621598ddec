import { texts } from './texts/texts.ts';

const FIELD = ':is(input, select, textarea):enabled';

interface KeptNoteProps {
  /** Whether the form has what was typed on an earlier visit to its page. */
  isKept: boolean;
  discard(): void;
}

/** Says that a form does not show what is stored, after the person has come back to it. */
export function KeptNote({ isKept, discard }: KeptNoteProps) {
  return isKept ? (
    <p className="note" role="status">
      {texts.kept}{' '}
      <button
        type="button"
        className="link"
        onClick={({ currentTarget }) => {
          discard();
          // The button goes, and with it the focus.
          currentTarget.form?.querySelector<HTMLElement>(FIELD)?.focus();
        }}
      >
        {texts.discard}
      </button>
    </p>
  ) : null;
}
