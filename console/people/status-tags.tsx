/** The state of an account in words: always with an icon and a word, never by colour alone. */
import { useTranslation } from 'react-i18next';
import type { AccountDetail } from '../api/calls.js';
import { BanIcon, CalendarIcon, CheckIcon, KeyIcon, LockIcon, SnowflakeIcon } from '../ui/icons.js';
import { Moment } from '../ui/moment.js';
import { Phrase } from '../ui/phrase.js';
import { Tag } from '../ui/tag.js';

export function StatusTag({ status }: { status: string }) {
  const { t } = useTranslation();
  return status === 'active' ? (
    <Tag tone="success">
      <CheckIcon /> {t('status.active')}
    </Tag>
  ) : (
    <Tag tone="danger">
      <BanIcon /> {t('status.disabled')}
    </Tag>
  );
}

export function StatusTags({ account }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const {
    status,
    credentials_frozen_until: frozenUntil,
    deletion_due_at: dueAt,
    lock,
    required_password: requiredPassword,
  } = account;
  return (
    <>
      <StatusTag status={status} />
      {lock !== null && (
        <Tag tone="warning">
          <LockIcon /> <span>{lock.until === null ? t('status.stopped') : <LockText at={lock.until} />}</span>
        </Tag>
      )}
      {requiredPassword !== null && (
        <Tag tone="warning">
          <KeyIcon /> <span>{t('status.password_required')}</span>
        </Tag>
      )}
      {frozenUntil !== null && (
        <Tag tone="warning">
          <SnowflakeIcon />{' '}
          <span>
            <Phrase phrase="status.frozen" values={{ time: <Moment at={frozenUntil} /> }} />
          </span>
        </Tag>
      )}
      {dueAt !== null && (
        <Tag tone="warning">
          <CalendarIcon />{' '}
          <span>
            <Phrase phrase="status.leaving" values={{ time: <Moment at={dueAt} /> }} />
          </span>
        </Tag>
      )}
    </>
  );
}

const LockText = ({ at }: { at: string }) => <Phrase phrase="status.locked" values={{ time: <Moment at={at} /> }} />;
