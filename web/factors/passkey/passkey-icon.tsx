import { Icon } from '../../ui/icons.js';

/** Shows a person and a key. */
export function PasskeyIcon() {
  return (
    <Icon>
      <circle cx="9" cy="7" r="4" />
      <path d="M2 21v-2a5 5 0 0 1 5-5h4" />
      <circle cx="17.5" cy="12.5" r="2.5" />
      <path d="M17.5 15v7M17.5 19h2.5" />
    </Icon>
  );
}
