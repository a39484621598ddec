import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface DisclosureProps {
  className: string;
  label: ReactNode;
  children: ReactNode;
}

/** A button that opens a panel below it. Escape and a click elsewhere close it; Escape gives the focus back. */
export function Disclosure({ className, label, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const closeElsewhere = ({ target }: Event) => {
      if (target instanceof Node && whole.current?.contains(target) === false) setOpen(false);
    };
    // A link inside leads to another page, and the panel has done what it is for.
    const closeByLink = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a') !== null && whole.current?.contains(target)) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', closeElsewhere);
    document.addEventListener('focusin', closeElsewhere);
    document.addEventListener('click', closeByLink);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeElsewhere);
      document.removeEventListener('focusin', closeElsewhere);
      document.removeEventListener('click', closeByLink);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [isOpen]);
  return (
    <div className="disclosure" ref={whole}>
      <button
        {...{ ref: button, type: 'button', className, 'aria-expanded': isOpen, 'aria-controls': id }}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      <div id={id} className="disclosure-panel" hidden={!isOpen}>
        {isOpen ? children : null}
      </div>
    </div>
  );
}
