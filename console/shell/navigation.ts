/** The pages of the navigation. A page needs the right to at least one of its operations. */
import type { PhraseKey } from '../i18n/i18n.js';
import type { Session } from '../session/session.js';
import {
  ActivityIcon,
  ApprovalIcon,
  AppsIcon,
  InstallationIcon,
  MailIcon,
  NewPersonIcon,
  PeopleIcon,
  TodayIcon,
} from '../ui/icons.js';

const PAGES = [
  { to: '/today', label: 'nav.today', Icon: TodayIcon, operations: ['today.show'] },
  { to: '/people', label: 'nav.people', Icon: PeopleIcon, operations: ['accounts.list'] },
  { to: '/people/invitations', label: 'nav.invitations', Icon: MailIcon, operations: ['invitations.list'] },
  { to: '/sign-ups', label: 'nav.sign_ups', Icon: NewPersonIcon, operations: ['signUps.list'] },
  { to: '/apps', label: 'nav.apps', Icon: AppsIcon, operations: ['clients.list'] },
  { to: '/activity', label: 'nav.activity', Icon: ActivityIcon, operations: ['audit.ofAll'] },
  { to: '/approvals', label: 'nav.approvals', Icon: ApprovalIcon, operations: ['approvals.list'] },
  {
    to: '/installation',
    label: 'nav.installation',
    Icon: InstallationIcon,
    operations: [
      'operatorHealth.health',
      'mails.list',
      'sources.list',
      'sinks.list',
      'doctor.run',
      'settings.list',
      'operators.list',
      'operators.sessions',
    ],
  },
] as const satisfies readonly { to: string; label: PhraseKey; Icon: () => React.JSX.Element; operations: readonly string[] }[];

type NavigationSession = Pick<Session, 'operations' | 'second_operator' | 'support_check' | 'sign_up_approval' | 'invitations'>;

/** @returns the pages that have something to show in this session */
export function listPages({ operations: allowedOperations, ...session }: NavigationSession) {
  const unusedPaths: string[] = [
    ...(session.second_operator || session.support_check ? [] : ['/approvals']),
    ...(session.sign_up_approval ? [] : ['/sign-ups']),
    ...(session.invitations ? [] : ['/people/invitations']),
  ];
  return PAGES.filter(
    ({ to, operations }) => !unusedPaths.includes(to) && operations.some((operation) => allowedOperations.includes(operation)),
  );
}
