/** The actions that the rights allow and that would have an effect, grouped by purpose. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AccountDetail } from '../api/calls.js';
import { sessionsQuery, browserTrustQuery } from '../api/queries.js';
import { useAllowed, useSession } from '../session/session-context.js';
import {
  BanIcon,
  CalendarIcon,
  DeviceIcon,
  EditIcon,
  HeartIcon,
  KeyIcon,
  LinkIcon,
  MailIcon,
  PhoneIcon,
  PowerIcon,
  RefreshIcon,
  ShieldIcon,
  SignOutIcon,
  SnowflakeIcon,
  TrashIcon,
  UnlockIcon,
} from '../ui/icons.js';
import { useKeptFocus } from '../ui/row-button.js';
import type { ActionSelection } from './action-dialog.js';
import { ACTION_GROUPS, type ActionName, type OpenAccess } from './actions.js';

const ICONS: Readonly<Partial<Record<ActionName, () => React.JSX.Element>>> = {
  mail_reset: MailIcon,
  invite: MailIcon,
  reset_link: LinkIcon,
  unlock: UnlockIcon,
  factor_reset: ShieldIcon,
  support_check: PhoneIcon,
  unfreeze: SnowflakeIcon,
  refresh: RefreshIcon,
  end_sessions: SignOutIcon,
  end_trust: DeviceIcon,
  disable: BanIcon,
  enable: PowerIcon,
  change: EditIcon,
  link: LinkIcon,
  unlink: LinkIcon,
  schedule_deletion: CalendarIcon,
  keep: HeartIcon,
  delete: TrashIcon,
};

interface ActionListProps {
  account: AccountDetail;
  onAction(selection: ActionSelection): void;
}

export function ActionList({ account, onAction }: ActionListProps) {
  const { t } = useTranslation();
  const isAllowed = useAllowed();
  const { support_check: hasCheck } = useSession();
  const openAccess = useOpenAccess(account.id);
  const groups = ACTION_GROUPS.map(({ title, actions }) => ({
    title,
    actions: actions
      .filter(({ name }) => hasCheck || name !== 'support_check')
      .filter((action) => isAllowed(action.operation) && action.isOffered(account, openAccess)),
  })).filter(({ actions }) => actions.length > 0);
  if (groups.length === 0) return <p className="empty">{t('actions.none')}</p>;
  return (
    <div className="action-groups">
      {groups.map(({ title, actions }) => (
        <section key={title}>
          <h2>{t(title)}</h2>
          <ul>
            {actions.map(({ name }) => (
              <li key={name}>
                <ActionButton name={name} onClick={() => onAction({ name })} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Reads the lists that the panels show. A list that cannot be loaded is treated as not empty, so that its action is offered. */
function useOpenAccess(id: string): OpenAccess {
  const isAllowed = useAllowed();
  const sessions = useQuery({ ...sessionsQuery(id), enabled: isAllowed('sessions.list') });
  const browsers = useQuery({ ...browserTrustQuery(id), enabled: isAllowed('trustedBrowsers.list') });
  const hasRows = (query: UseQueryResult, rows: readonly unknown[] = []): boolean => query.isError || rows.length > 0;
  return {
    hasSessions: hasRows(sessions, sessions.data?.sessions),
    hasTrust: hasRows(browsers, browsers.data?.trusted_browsers),
  };
}

/** The actions shown in red: the actions that end the access of a person. Not every dangerous action is red. */
const RED_ACTIONS: readonly ActionName[] = ['disable', 'delete', 'schedule_deletion'];

function ActionButton({ name, onClick }: { name: ActionName; onClick: () => void }) {
  const { t } = useTranslation();
  const Icon = ICONS[name] ?? KeyIcon;
  const ref = useKeptFocus();
  return (
    <button
      ref={ref}
      type="button"
      className={`action ${RED_ACTIONS.includes(name) ? 'red' : ''}`}
      data-action={name}
      onClick={onClick}
    >
      <Icon /> {t(`action.${name}`)}
    </button>
  );
}
