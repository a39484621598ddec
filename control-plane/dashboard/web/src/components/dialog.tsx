import { type ReactNode, useEffect, useId, useRef } from 'react';
import './dialog.css';

interface DialogProps {
  title: string;
  isOpen: boolean;
  close(): void;
  children: ReactNode;
}

/** The browser's own dialog: it keeps the focus, gives it back, and closes with Escape. */
export function Dialog({ title, isOpen, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    // React also reports it when a dialog within this one closes.
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={(event) => (event.target === event.currentTarget ? close() : undefined)}
    >
      {isOpen ? (
        <div className="stack">
          <h2 id={id} className="dialog-title">
            {title}
          </h2>
          {children}
        </div>
      ) : null}
    </dialog>
  );
}
