/** The house's icons: 24 units, stroke 1.75, round ends. They never carry meaning alone, so they are hidden from readers. */
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

export const UnpluggedIcon = () => (
  <Icon>
    <path d="m4 20 3.2-3.2M20 4l-3.2 3.2M8.5 10.5l5 5-1.7 1.7a3.5 3.5 0 0 1-5-5ZM10.5 13.5l1.5-1.5M12.5 15.5 14 14M13 6.5l1.2-.7a3.5 3.5 0 0 1 4.5 4.5L17.5 11Z" />
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

export const PhoneIcon = () => (
  <Icon>
    <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
    <path d="M11 18.2h2" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <path d="M9 9V3.5h6V9" />
    <rect x="7" y="9" width="10" height="12" rx="2.5" />
    <circle cx="12" cy="15" r="1.7" />
  </Icon>
);

export const CodesIcon = () => (
  <Icon>
    <rect x="4.5" y="3" width="15" height="18" rx="2.5" />
    <path d="M8.5 8h3M14.5 8h1M8.5 12h3M14.5 12h1M8.5 16h3M14.5 16h1" />
  </Icon>
);

export const PasswordIcon = () => (
  <Icon>
    <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="8.5" y="8.5" width="12" height="12" rx="2" />
    <path d="M5.5 15.5h-.3a1.7 1.7 0 0 1-1.7-1.7V5.2a1.7 1.7 0 0 1 1.7-1.7h8.6a1.7 1.7 0 0 1 1.7 1.7v.3" />
  </Icon>
);

export const DownloadIcon = () => (
  <Icon>
    <path d="M12 4v11M7.5 10.5 12 15l4.5-4.5M4.5 20h15" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);

export const NotYetIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="4.5" />
  </Icon>
);

const Eye = () => (
  <>
    <path d="M2.5 12C4.5 8 8 5.8 12 5.8S19.5 8 21.5 12c-2 4-5.5 6.2-9.5 6.2S4.5 16 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
  </>
);

/** Both eyes; the stylesheet shows the one that fits `aria-pressed`. */
export const PeekIcons = () => (
  <>
    <Icon className="icon shut">
      <Eye />
    </Icon>
    <Icon className="icon open">
      <Eye />
      <path d="m4 20 16-16" />
    </Icon>
  </>
);
