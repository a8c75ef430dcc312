/**
 * A question or a small form that opens with a button. It is a `details` element, so that it opens without script. With script, Escape
 * closes it.
 */
import type { KeyboardEvent, ReactNode } from 'react';
import '../../styles/account.css';

interface Props {
  summary: ReactNode;
  /** Classes of the button. */
  className: string;
  /** Accessible name of the button, if its text is ambiguous. */
  name?: string;
  children: ReactNode;
}

export function Disclosure({ summary, className, name, children }: Props) {
  return (
    <details className="disclosure" onKeyDown={closeByEscape}>
      <summary className={className} aria-label={name}>
        {summary}
      </summary>
      {children}
    </details>
  );
}

function closeByEscape({ key, currentTarget: details }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape' || !details.open) return;
  details.open = false;
  details.querySelector('summary')?.focus();
}
