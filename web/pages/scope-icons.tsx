/** The icons of the built-in scopes, and the icon of all other scopes (a key). */
import { Icon } from '../ui/icons.js';

export const IdCardIcon = () => (
  <Icon>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <circle cx="8.5" cy="10.5" r="1.8" />
    <path d="M5.8 15.5c.4-1.3 1.4-2 2.7-2s2.3.7 2.7 2M14.5 10h3.5M14.5 14h2.5" />
  </Icon>
);

export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c.9-3.7 3.7-5.7 7.5-5.7s6.6 2 7.5 5.7" />
  </Icon>
);

export const MailIcon = () => (
  <Icon>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <path d="m3.5 7.5 8.5 6 8.5-6" />
  </Icon>
);

export const AddressIcon = () => (
  <Icon>
    <path d="M12 21c-4.7-4.3-7-7.8-7-11a7 7 0 0 1 14 0c0 3.2-2.3 6.7-7 11Z" />
    <circle cx="12" cy="10" r="2.5" />
  </Icon>
);

export const PhoneIcon = () => (
  <Icon>
    <path d="M6.2 3.5h3l1.6 4.2-2.1 1.6a12 12 0 0 0 6 6l1.6-2.1 4.2 1.6v3a2.2 2.2 0 0 1-2.3 2.2C10.7 19.6 4.4 13.3 4 5.8a2.2 2.2 0 0 1 2.2-2.3Z" />
  </Icon>
);

export const SlidersIcon = () => (
  <Icon>
    <path d="M4 8h8.5M17.5 8H20M4 16h2.5M11.5 16H20" />
    <circle cx="15" cy="8" r="2.5" />
    <circle cx="9" cy="16" r="2.5" />
  </Icon>
);

export const BackgroundIcon = () => (
  <Icon>
    <path d="M4 10.5a8.2 8.2 0 0 1 14.5-3.8L20.5 9M20.5 4v5h-5M20 13.5a8.2 8.2 0 0 1-14.5 3.8L3.5 15M3.5 20v-5h5" />
  </Icon>
);

export const FolderIcon = () => (
  <Icon>
    <path d="M3 18V6.5A1.5 1.5 0 0 1 4.5 5h4.6l2.4 2.6h8A1.5 1.5 0 0 1 21 9.1V18a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18Z" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <circle cx="8" cy="15.5" r="4.5" />
    <path d="m11.3 12.2 8.2-8.2M15.7 7.8l3 3" />
  </Icon>
);
