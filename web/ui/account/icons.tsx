/** Icons for the pages that need them, such as the account area. Every page loads the icons in `ui/icons.tsx`. */
import { Icon } from '../icons.js';

export const PhoneIcon = () => (
  <Icon>
    <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
    <path d="M11 18.2h2" />
  </Icon>
);

export const UserIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5a7.5 7.5 0 0 1 15 0" />
  </Icon>
);

export const MailIcon = () => (
  <Icon>
    <rect x="3" y="5" width="18" height="14" rx="2.5" />
    <path d="m3.5 7 8.5 6 8.5-6" />
  </Icon>
);

export const EnterIcon = () => (
  <Icon>
    <path d="M13 4h5.5a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H13M4 12h11M11 8l4 4-4 4" />
  </Icon>
);

export const PencilIcon = () => (
  <Icon>
    <path d="M4 20h4L19.5 8.5l-4-4L4 16ZM13 7l4 4" />
  </Icon>
);

export const LockIcon = () => (
  <Icon>
    <rect x="4.5" y="10.5" width="15" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2" />
  </Icon>
);

export const ShieldIcon = () => (
  <Icon>
    <path d="M12 3 4.5 6v5.5c0 4.6 3.1 8 7.5 9.5 4.4-1.5 7.5-4.9 7.5-9.5V6ZM8.7 12l2.4 2.4 4.3-4.6" />
  </Icon>
);

export const BinIcon = () => (
  <Icon>
    <path d="M4 6.5h16M9 6.5v-3h6v3M6 6.5l1 14h10l1-14M10 10.5v6M14 10.5v6" />
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

export const BrowserIcon = () => (
  <Icon>
    <rect x="3" y="4.5" width="18" height="15" rx="2.5" />
    <path d="M3 9h18M6.3 6.8v.1M9 6.8v.1" />
  </Icon>
);

export const AppIcon = () => (
  <Icon>
    <rect x="4" y="4" width="6.5" height="6.5" rx="1.5" />
    <rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5" />
    <rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5" />
    <rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5" />
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

export const PrintIcon = () => (
  <Icon>
    <path d="M7 9V3.5h10V9M7 17.5H4.5v-6A2.5 2.5 0 0 1 7 9h10a2.5 2.5 0 0 1 2.5 2.5v6H17M7 14.5h10v6H7Z" />
  </Icon>
);
