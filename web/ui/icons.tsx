/** Icons on a grid of 24 units. They are hidden from screen readers, because the adjacent text has the same meaning. */
import type { ReactNode } from 'react';

export function Icon({ className = 'icon', children }: { className?: string; children: ReactNode }) {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

export const DangerIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5v5.2M12 16v.1" />
  </Icon>
);

export const SuccessIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="m8.2 12.3 2.7 2.7 5-5.4" />
  </Icon>
);

export const InfoIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11.2v5M12 7.9V8" />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5.2l3.3 2" />
  </Icon>
);

export const SignpostIcon = () => (
  <Icon>
    <path d="M12 3v3M12 14v7M5 6h11.5l3 4-3 4H5ZM9 21h6" />
  </Icon>
);

export const WarningIcon = () => (
  <Icon>
    <path d="M12 4.2 3 19.5h18ZM12 10v4.2M12 16.9v.1" />
  </Icon>
);

export const BackIcon = () => (
  <Icon>
    <path d="M19 12H5M11 6l-6 6 6 6" />
  </Icon>
);

export const GoIcon = () => (
  <Icon className="icon go">
    <path d="m9.5 6 6 6-6 6" />
  </Icon>
);

const Eye = () => (
  <>
    <path d="M2.5 12C4.5 8 8 5.8 12 5.8S19.5 8 21.5 12c-2 4-5.5 6.2-9.5 6.2S4.5 16 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
  </>
);

/** Two eyes, of which the stylesheet shows one, depending on `aria-pressed`. */
export const PeekIcons = () => (
  <>
    <Icon className="icon if-hidden">
      <Eye />
    </Icon>
    <Icon className="icon if-shown">
      <Eye />
      <path d="m4 20 16-16" />
    </Icon>
  </>
);
