/** The pages of the navigation, and the operations that they need. */
import type { PhraseKey } from '../i18n/i18n.js';
import { ActivityIcon, AppsIcon, InstallationIcon, PeopleIcon, TodayIcon } from '../ui/icons.js';

const PAGES = [
  { to: '/today', label: 'nav.today', Icon: TodayIcon, operations: ['today.show'] },
  { to: '/people', label: 'nav.people', Icon: PeopleIcon, operations: ['accounts.list'] },
  { to: '/apps', label: 'nav.apps', Icon: AppsIcon, operations: ['clients.list'] },
  { to: '/activity', label: 'nav.activity', Icon: ActivityIcon, operations: ['audit.ofAll'] },
  {
    to: '/installation',
    label: 'nav.installation',
    Icon: InstallationIcon,
    operations: ['operators.list', 'operators.sessions', 'operatorHealth.health', 'mails.list'],
  },
] as const satisfies readonly { to: string; label: PhraseKey; Icon: () => React.JSX.Element; operations: readonly string[] }[];

/** @returns the pages that can show something with these operations */
export function findPages(allowed: readonly string[]) {
  return PAGES.filter(({ operations }) => operations.some((operation) => allowed.includes(operation)));
}
