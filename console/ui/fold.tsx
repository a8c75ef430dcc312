/** A part of a page that opens below a button on a phone; elsewhere there is no button, and the part is always shown. */
import { useId, useState, type ReactNode } from 'react';
import { DownIcon } from './icons.js';

interface FoldProps {
  /** The text of the button. */
  label: string;
  className: 'filters' | 'tabs';
  children: ReactNode;
}

export function Fold({ label, className, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="button filter-toggle"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label} <DownIcon />
      </button>
      <div id={id} className={isOpen ? className : `${className} folded`}>
        {children}
      </div>
    </>
  );
}
