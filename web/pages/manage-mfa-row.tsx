/** One enrolled factor. Removal asks for confirmation in a `details` element, which works without script. */
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { longDate } from '../ui/account/dates.js';
import { Form, SubmitButton } from '../ui/form.js';
import '../styles/account.css';

interface Props {
  Icon: ComponentType;
  name: string;
  dates: { created_at: string; last_used_at: string | null };
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** Page on which it can be replaced. */
  replaceAt?: string | undefined;
  /** It can be replaced, not removed. */
  stays: boolean;
  /** Further actions. */
  children?: ReactNode;
}

export function FactorRow({ action, hidden, replaceAt, stays, children, ...what }: Props) {
  const { t } = useTranslation();
  const { name } = what;
  if (stays && replaceAt) {
    return (
      <li>
        <div className="row wraps">
          <What {...what} note={t('manage_mfa.stays')} />
          <Replace href={replaceAt} name={name} look="btn compact" />
        </div>
        {children}
      </li>
    );
  }
  return (
    <li>
      <details className="opens">
        <summary className="row wraps">
          <What {...what} />
          <span>
            <span className="btn danger compact if-closed">{t('manage_mfa.remove')}</span>
            <span className="btn compact if-open">{t('manage_mfa.keep')}</span>
          </span>
        </summary>
        <Form className="stack" action={action} hidden={hidden}>
          <p>{t('manage_mfa.remove_question', { name })}</p>
          <div className="actions">
            <SubmitButton primary look="danger" label={t('manage_mfa.remove_now')} busyLabel={t('manage_mfa.removing')} />
          </div>
        </Form>
      </details>
      {replaceAt && <Replace href={replaceAt} name={name} look="beside" />}
      {children}
    </li>
  );
}

function What({ Icon, name, dates, note }: Pick<Props, 'Icon' | 'name' | 'dates'> & { note?: string }) {
  const { t, i18n } = useTranslation();
  const used = dates.last_used_at;
  return (
    <>
      <Icon />
      <span className="what">
        <b>
          <bdi>{name}</bdi>
        </b>
        <small>{t('manage_mfa.added', { day: longDate(dates.created_at, i18n.language) })}</small>
        <small>{used ? t('manage_mfa.used', { day: longDate(used, i18n.language) }) : t('manage_mfa.unused')}</small>
        {note && <small>{note}</small>}
      </span>
    </>
  );
}

function Replace({ href, name, look }: { href: string; name: string; look: string }) {
  const { t } = useTranslation();
  return (
    <a className={look} href={href} aria-label={t('manage_mfa.replace_name', { name })}>
      {t('manage_mfa.replace')}
    </a>
  );
}
