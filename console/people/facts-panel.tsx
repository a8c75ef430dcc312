/** What is stored about a person: the facts that an operator reads out or compares. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountDetail } from '../api/calls.js';
import { CopyButton } from '../ui/copy-button.js';
import { SuccessIcon, WarningIcon } from '../ui/icons.js';
import { Moment } from '../ui/moment.js';
import { Panel } from '../ui/panel.js';
import { Phrase } from '../ui/phrase.js';
import { UserText } from '../ui/user-text.js';

export function FactsPanel({ account }: { account: AccountDetail }) {
  const { t } = useTranslation();
  const { username, email, language, group_name: group, groups, subject, id } = account;
  const furtherGroups = groups.filter((name) => name !== group);
  return (
    <Panel title={t('facts.title')}>
      <dl className="fact-list">
        <FactRow label={t('facts.username')}>
          <UserText text={username} /> <CopyButton isIcon text={username} label={t('facts.copy_username')} />
        </FactRow>
        <FactRow label={t('people.address')}>
          {email === null ? <NoValue /> : <Address account={account} email={email} />}
        </FactRow>
        <FactRow label={t('change.language')}>{language === null ? <NoValue /> : <Language tag={language} />}</FactRow>
        <FactRow label={t('change.group')}>{group === null ? <NoValue /> : <UserText text={group} />}</FactRow>
        {furtherGroups.length > 0 && (
          <FactRow label={t('change.further_groups')}>
            <ul>
              {furtherGroups.map((name) => (
                <li key={name}>
                  <UserText text={name} />
                </li>
              ))}
            </ul>
          </FactRow>
        )}
        <SecondFactor rule={account.second_factor ?? 'default'} />
        <FirstPassword account={account} />
        <SourceRows account={account} />
        {subject !== id && (
          <FactRow label={t('facts.subject')}>
            <UserText text={subject} />
          </FactRow>
        )}
        <Attributes attributes={account.attributes} />
        <FactRow label={t('people.signed_in')}>
          {account.last_sign_in_at === null ? t('people.never') : <Moment at={account.last_sign_in_at} isFirst />}
        </FactRow>
        <FactRow label={t('people.created')}>
          <Moment at={account.created_at} isFirst />
        </FactRow>
        <FactRow label={t('facts.changed')}>
          <Moment at={account.updated_at} isFirst />
        </FactRow>
      </dl>
    </Panel>
  );
}

function FactRow({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Language({ tag }: { tag: string }) {
  const { i18n } = useTranslation();
  // Some browsers name no language of a tag with extensions, and throw.
  const { baseName } = new Intl.Locale(tag);
  return new Intl.DisplayNames([i18n.language], { type: 'language', fallback: 'code' }).of(baseName);
}

/** An address that is too long for its column breaks before the `@` if that is enough, and not within a word. */
function BreakableAddress({ text }: { text: string }) {
  const atSign = text.lastIndexOf('@');
  return (
    <>
      <UserText text={text.slice(0, atSign)} />
      <wbr />
      <UserText text={text.slice(atSign)} />
    </>
  );
}

function SecondFactor({ rule }: { rule: NonNullable<AccountDetail['second_factor']> | 'default' }) {
  const { t } = useTranslation();
  return <FactRow label={t('facts.second_factor')}>{t(`facts.second_factor_${rule}`)}</FactRow>;
}

function NoValue() {
  const { t } = useTranslation();
  return <span className="muted">{t('facts.none')}</span>;
}

/** Shown only for an account that has a password neither here nor at a source. */
function FirstPassword({ account }: { account: AccountDetail }) {
  const { password_elsewhere: isElsewhere, has_password: hasPassword, invitation_until: invitationUntil } = account;
  const { t } = useTranslation();
  if (isElsewhere || hasPassword) return null;
  return (
    <FactRow label={t('facts.password')}>
      {invitationUntil === null ? (
        <NoValue />
      ) : (
        <Phrase phrase="facts.invited" values={{ time: <Moment at={invitationUntil} /> }} />
      )}
    </FactRow>
  );
}

function SourceRows({ account: { source, source_name: name, scim } }: { account: AccountDetail }) {
  const { t } = useTranslation();
  if (source === null) return null;
  return (
    <>
      <FactRow label={t('facts.source')}>
        <UserText text={name ?? source} />
      </FactRow>
      {scim !== null && <ScimRow scim={scim} />}
    </>
  );
}

/** The id of the person at a SCIM source, and the status there if it is unusual. */
function ScimRow({ scim }: { scim: NonNullable<AccountDetail['scim']> }) {
  const { t } = useTranslation();
  const { external_id: externalId, active: isActive, disabled_by_source: isDisabled } = scim;
  return (
    <FactRow label={t('facts.external_id')}>
      {externalId === null ? (
        <NoValue />
      ) : (
        <code>
          <UserText text={externalId} />
        </code>
      )}
      {!isActive && <p>{t('facts.not_active_there')}</p>}
      {isDisabled && <p className="muted">{t('facts.disabled_by_source')}</p>}
    </FactRow>
  );
}

function Address({ account, email }: { account: AccountDetail; email: string }) {
  const { t } = useTranslation();
  return (
    <>
      <BreakableAddress text={email} />{' '}
      <span className={account.email_verified ? 'verified' : 'unverified'}>
        {account.email_verified ? <SuccessIcon /> : <WarningIcon />}
        {account.email_verified ? t('person.verified') : t('person.unverified')}
      </span>
    </>
  );
}

function Attributes({ attributes }: { attributes: Readonly<Record<string, unknown>> }) {
  return Object.entries(attributes).map(([name, value]) => (
    <FactRow key={name} label={<UserText text={name} />}>
      <UserText text={typeof value === 'string' ? value : JSON.stringify(value)} />
    </FactRow>
  ));
}
