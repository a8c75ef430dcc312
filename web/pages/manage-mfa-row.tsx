/** One enrolled factor: what is known about it, and below that its actions. */
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AskFirst } from '../ui/account/ask-first.js';
import { longDate } from '../ui/account/dates.js';
import { LockedUntil } from '../ui/account/locked-until.js';
import '../styles/account.css';

interface Props {
  Icon: ComponentType;
  /** Name in the labels of its actions and in questions. */
  name: string;
  /** Title of the row; absent for a kind that can have only one factor, because the heading names it. */
  title?: string | undefined;
  dates: { created_at: string; last_used_at: string | null };
  /** Whether the credential is on several devices; absent for kinds that cannot be synced. */
  synced?: boolean | undefined;
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** Address of the page that replaces the factor. */
  replaceAt?: string | undefined;
  /** True if the factor must not be removed, only replaced. */
  stays: boolean;
  /** Present while credentials are frozen. ISO 8601, UTC. */
  frozenUntil?: string | undefined;
  /** Further actions. */
  children?: ReactNode;
}

export function FactorRow({ action, hidden, replaceAt, stays, frozenUntil, children, ...what }: Props) {
  const isFixed = stays && replaceAt !== undefined;
  return (
    <li className="row">
      <What {...what} isFixed={isFixed} frozenUntil={frozenUntil} />
      {frozenUntil === undefined && (
        <div className={isFixed && !children ? 'row-actions beside' : 'row-actions'}>
          {children}
          {replaceAt !== undefined && <Replace href={replaceAt} name={what.name} />}
          {!isFixed && <Remove action={action} hidden={hidden} name={what.name} />}
        </div>
      )}
    </li>
  );
}

type WhatProps = Pick<Props, 'Icon' | 'title' | 'dates' | 'synced' | 'frozenUntil'> & { isFixed: boolean };

function What({ Icon, title, dates, synced, isFixed, frozenUntil }: WhatProps) {
  const { t } = useTranslation();
  const used = dates.last_used_at;
  return (
    <>
      <span className="tile">
        <Icon />
      </span>
      <span className="what">
        <b>{title === undefined ? <span className="tag success">{t('manage_mfa.set_up')}</span> : <bdi>{title}</bdi>}</b>
        {synced !== undefined && <small>{t(synced ? 'manage_mfa.synced' : 'manage_mfa.on_device')}</small>}
        <small>{t('manage_mfa.added', { day: longDate(dates.created_at, t('language.dates')) })}</small>
        <small>{used ? t('manage_mfa.used', { day: longDate(used, t('language.dates')) }) : t('manage_mfa.unused')}</small>
        {isFixed && <small>{t('manage_mfa.stays')}</small>}
        {frozenUntil !== undefined && <LockedUntil moment={frozenUntil} />}
      </span>
    </>
  );
}

function Replace({ href, name }: { href: string; name: string }) {
  const { t } = useTranslation();
  return (
    <a className="btn compact" href={href} aria-label={t('manage_mfa.replace_name', { name })}>
      {t('manage_mfa.replace')}
    </a>
  );
}

function Remove({ action, hidden, name }: Pick<Props, 'action' | 'hidden' | 'name'>) {
  const { t } = useTranslation();
  return (
    <AskFirst
      action={action}
      hidden={hidden}
      label={
        <>
          {t('manage_mfa.remove')}
          <span className="sr">: {name}</span>
        </>
      }
      keep="manage_mfa.keep"
      question={t('manage_mfa.remove_question', { name })}
      now="manage_mfa.remove_now"
      busy="manage_mfa.removing"
    />
  );
}
