/** A box with information, a success or a warning. */
import type { ReactNode } from 'react';
import { InfoIcon, SuccessIcon, WarningIcon } from './icons.js';

const ICONS = { info: InfoIcon, success: SuccessIcon, warning: WarningIcon };

interface Props {
  tone: keyof typeof ICONS;
  message: ReactNode;
  /** Further classes: `passing`, `on-screen`, `without-script`. */
  className?: string;
  /** True if screen readers announce the notice. */
  live?: boolean;
  children?: ReactNode;
}

export function Notice({ tone, message, className, live = false, children }: Props) {
  const Icon = ICONS[tone];
  return (
    <div className={['alert', tone, className].filter(Boolean).join(' ')} role={live ? 'status' : undefined}>
      <Icon />
      <div>
        <strong>{message}</strong>
        {children}
      </div>
    </div>
  );
}
