/**
 * A small button in a row. If its action removes the row, the focus moves to the heading of the section or the page, and is not
 * lost with the button.
 */
import { useLayoutEffect, useRef } from 'react';
import { toVisibleText } from './visible-text.js';

interface RowButtonProps {
  /** Identifies the action for tests and screenshots, in every language. */
  action: string;
  text: string;
  /** The name of the row, for screen readers. */
  label?: string;
  onClick(): void;
}

export function RowButton({ action, text, label, onClick }: RowButtonProps) {
  const ref = useKeptFocus();
  return (
    <button
      ref={ref}
      type="button"
      className="button small"
      data-action={action}
      aria-label={label === undefined ? undefined : `${text}: ${toVisibleText(label)}`}
      onClick={onClick}
    >
      {text}
    </button>
  );
}

/** @returns the ref of a button whose action may remove it */
export function useKeptFocus() {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => keepFocus(button);
  }, []);
  return ref;
}

function keepFocus(button: HTMLElement | null): void {
  if (document.activeElement !== button) return;
  const heading = button?.closest('section')?.querySelector<HTMLElement>('h2[tabindex]');
  // Waits until the row is removed.
  setTimeout(() => (heading?.isConnected ? heading : document.querySelector<HTMLElement>('h1'))?.focus(), 0);
}
