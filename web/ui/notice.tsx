/** A box that tells something and is no error: what was done, what to think of, why something does not work here. */
import type { ReactNode } from 'react';
import { InfoIcon, SuccessIcon, WarningIcon } from './icons.js';

const ICONS = { info: InfoIcon, success: SuccessIcon, warning: WarningIcon };

interface Props {
  tone: keyof typeof ICONS;
  message: ReactNode;
  /** Further classes: `passing`, `without-script`. */
  look?: string;
  /** A change that readers should hear of. */
  live?: boolean;
  children?: ReactNode;
}

export function Notice({ tone, message, look, live = false, children }: Props) {
  const Icon = ICONS[tone];
  return (
    <div className={['alert', tone, look].filter(Boolean).join(' ')} role={live ? 'status' : undefined}>
      <Icon />
      <div>
        <strong>{message}</strong>
        {children}
      </div>
    </div>
  );
}
