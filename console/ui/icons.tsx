/**
 * Icons on a grid of 24 units. They are hidden from screen readers, because a text beside them or the label of
 * their button has the same meaning.
 */
import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

/** Creates the component of an icon with one path. */
const icon = (path: string) => {
  const PathIcon = () => (
    <Icon>
      <path d={path} />
    </Icon>
  );
  return PathIcon;
};

export const DoorMark = () => (
  <svg className="door" viewBox="3 2.5 18 24" aria-hidden="true">
    <path className="door-leaf" d="M3 26.5V12a9 9 0 0 1 18 0v14.5Z" />
    <circle className="door-knob" cx="16.5" cy="17" r="1.6" />
  </svg>
);

export const SearchIcon = icon('M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.8 15.8 20 20');
export const TodayIcon = icon(
  'M12 3.5v2M12 18.5v2M3.5 12h2M18.5 12h2M6 6l1.4 1.4M16.6 16.6 18 18M18 6l-1.4 1.4M7.4 16.6 6 18M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
);
export const PeopleIcon = icon(
  'M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM3 19.5c0-3 2.7-5 6-5s6 2 6 5M16 5a3.5 3.5 0 0 1 0 6.2M17.5 14.8c2.1.6 3.5 2.3 3.5 4.7',
);
export const NewPersonIcon = icon('M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM3 19.5c0-3 2.7-5 6-5s6 2 6 5M18.5 8v6M15.5 11h6');
export const ApprovalIcon = icon('M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6ZM8.8 12l2.4 2.4 4-4.6');
export const ActivityIcon = icon('M3 12h4l3-7.5 4 15 3-7.5h4');
export const AppsIcon = icon('M4.5 4.5h6v6h-6ZM13.5 4.5h6v6h-6ZM4.5 13.5h6v6h-6ZM13.5 13.5h6v6h-6Z');
export const InstallationIcon = icon('M4 5h16v6H4ZM4 13h16v6H4ZM7.5 8v.1M7.5 16v.1M11 8h5.5M11 16h5.5');
export const PhoneIcon = icon(
  'M6 4h3l1.5 4-2 1.5a11 11 0 0 0 6 6l1.5-2 4 1.5v3a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 4.5 5.6 1.5 1.5 0 0 1 6 4Z',
);
export const DownIcon = icon('m6 9.5 6 6 6-6');
export const BackIcon = icon('M19 12H5M11 6l-6 6 6 6');
export const CloseIcon = icon('M6 6l12 12M18 6 6 18');
export const CopyIcon = icon('M9 9h10v11H9ZM15 9V4H5v11h4');
export const CheckIcon = icon('m5 12.5 4.5 4.5L19 7.5');
export const DownloadIcon = icon('M12 4v11M7.5 10.5 12 15l4.5-4.5M5 19.5h14');
export const KeyIcon = icon('M8 12.5a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6ZM10.8 13.5 19 5.3M15.5 8.8l3 3');
export const MailIcon = icon('M3.5 6h17v12.5h-17ZM3.5 7l8.5 6.5L20.5 7');
export const LinkIcon = icon(
  'M10 14a4 4 0 0 0 5.7.3l3-3A4 4 0 0 0 13 5.6l-1.2 1.2M14 10a4 4 0 0 0-5.7-.3l-3 3A4 4 0 0 0 11 18.4l1.2-1.2',
);
export const LockIcon = icon('M6 11h12v9H6ZM8.8 11V7.5a3.2 3.2 0 0 1 6.4 0V11');
export const UnlockIcon = icon('M6 11h12v9H6ZM9 11V7.5a3.2 3.2 0 0 1 6-1.3');
export const BanIcon = icon('M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM6 6l12 12');
export const PowerIcon = icon('M12 4v8M7 6.8a7.5 7.5 0 1 0 10 0');
export const RefreshIcon = icon('M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 4v4h-4');
export const TrashIcon = icon('M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5 7.5 20h9l1-13.5M10.5 10.5v6M13.5 10.5v6');
export const CalendarIcon = icon('M4.5 6h15v14h-15ZM4.5 10.5h15M8.5 3.5V8M15.5 3.5V8');
export const EditIcon = icon('M4.5 19.5 5.5 15 15.8 4.7l3.5 3.5L9 18.5ZM13.5 7l3.5 3.5');
export const SignOutIcon = icon('M10 4.5H5v15h5M14 8l4 4-4 4M18 12H9');
export const ShieldIcon = icon('M12 3.5 5 6v5.5c0 4.3 2.9 7.6 7 9 4.1-1.4 7-4.7 7-9V6Z');
export const SnowflakeIcon = icon('M12 3v18M4.2 7.5l15.6 9M19.8 7.5l-15.6 9');
export const PlusIcon = icon('M12 5v14M5 12h14');
export const HeartIcon = icon('M12 20S4 15 4 9.2A4.2 4.2 0 0 1 12 7.4a4.2 4.2 0 0 1 8 1.8C20 15 12 20 12 20Z');
export const DangerIcon = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5v5.2M12 16v.1');
export const SuccessIcon = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM8.2 12.3l2.7 2.7 5-5.4');
export const InfoIcon = icon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11.2v5M12 7.9V8');
export const WarningIcon = icon('M12 4.2 3 19.5h18ZM12 10v4.2M12 16.9v.1');
export const DeviceIcon = icon('M4 5h16v10.5H4ZM9 19.5h6M12 15.5v4');
