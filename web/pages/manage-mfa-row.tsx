/** One enrolled factor: its description and its actions. */
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageKey } from '../i18n/phrase.js';
import { QuestionButton } from '../ui/account/question-button.js';
import { formatLongDate } from '../ui/account/dates.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import '../styles/account.css';

interface Props {
  Icon: ComponentType;
  /** Name in the labels of the actions and in questions. */
  name: string;
  /** Title of the row; absent for a kind that can have only one factor, because the heading names it. */
  title?: string | undefined;
  dates: { created_at: string; last_used_at: string | null };
  /** True if the credential may be synced to other devices; absent for kinds that cannot be synced. */
  synced?: boolean | undefined;
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** Address of the page that replaces the factor. */
  replaceAt?: string | undefined;
  /** True if the account must keep its only second factor or passkey, whose removal is not offered. */
  stays: boolean;
  /** Present while credentials are frozen. ISO 8601, UTC. */
  frozenUntil?: string | undefined;
  /** Further actions. */
  children?: ReactNode;
}

export function FactorRow({ action, hidden, replaceAt, stays, frozenUntil, children, ...description }: Props) {
  const hasActions = Boolean(children) || replaceAt !== undefined || !stays;
  const reason = replaceAt === undefined ? 'fault.factor_required_next' : 'manage_mfa.stays';
  return (
    <li className="row">
      <FactorDescription {...description} staysBecause={stays ? reason : undefined} frozenUntil={frozenUntil} />
      {frozenUntil === undefined && hasActions && (
        <div className={stays && !children ? 'row-actions beside' : 'row-actions'}>
          {children}
          {replaceAt !== undefined && <ReplaceLink href={replaceAt} name={description.name} />}
          {!stays && <RemoveButton action={action} hidden={hidden} name={description.name} />}
        </div>
      )}
    </li>
  );
}

type DescriptionProps = Pick<Props, 'Icon' | 'title' | 'dates' | 'synced' | 'frozenUntil'> & {
  staysBecause: MessageKey | undefined;
};

function FactorDescription({ Icon, title, dates, synced, staysBecause, frozenUntil }: DescriptionProps) {
  const { t } = useTranslation();
  const lastUsed = dates.last_used_at;
  return (
    <>
      <span className="tile">
        <Icon />
      </span>
      <span className="what">
        <b>{title === undefined ? <span className="tag success">{t('manage_mfa.set_up')}</span> : <bdi>{title}</bdi>}</b>
        {synced !== undefined && <small>{t(synced ? 'manage_mfa.synced' : 'manage_mfa.on_device')}</small>}
        <small>{t('manage_mfa.added', { day: formatLongDate(dates.created_at, t('language.dates')) })}</small>
        <small>
          {lastUsed ? t('manage_mfa.used', { day: formatLongDate(lastUsed, t('language.dates')) }) : t('manage_mfa.unused')}
        </small>
        {staysBecause && <small>{t(staysBecause)}</small>}
        {frozenUntil !== undefined && <LockedUntil moment={frozenUntil} />}
      </span>
    </>
  );
}

function ReplaceLink({ href, name }: { href: string; name: string }) {
  const { t } = useTranslation();
  return (
    <a className="btn compact" href={href} aria-label={t('manage_mfa.replace_name', { name })}>
      {t('manage_mfa.replace')}
    </a>
  );
}

function RemoveButton({ action, hidden, name }: Pick<Props, 'action' | 'hidden' | 'name'>) {
  const { t } = useTranslation();
  return (
    <QuestionButton
      action={action}
      hidden={hidden}
      label={
        <>
          {t('manage_mfa.remove')}
          <span className="sr">: {name}</span>
        </>
      }
      closeLabel="manage_mfa.keep"
      question={t('manage_mfa.remove_question', { name })}
      submitLabel="manage_mfa.remove_now"
      busyLabel="manage_mfa.removing"
    />
  );
}
