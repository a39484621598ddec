import type { ComponentProps, MouseEvent } from 'react';

interface SteadyButtonProps extends ComponentProps<'button'> {
  /** Whether what it does is under way. */
  'data-loading'?: boolean;
}

/** A second press while the first one is under way does nothing. */
const refuse = (event: MouseEvent) => event.preventDefault();

/**
 * The element of all buttons. One that is disabled while it loads would lose the focus, and whoever works by keyboard would
 * begin again at the top of the page.
 */
export function SteadyButton({ disabled, onClick, type = 'button', ...others }: SteadyButtonProps) {
  if (others['data-loading'] !== true) return <button {...{ disabled, onClick, type, ...others }} />;
  return <button {...{ type, ...others }} aria-disabled aria-busy onClick={refuse} />;
}
