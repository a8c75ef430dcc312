/**
 * Asks for a proof: the password, a factor or a code by mail. A sensitive change requires a fresh proof (MAN-14). A page that must not be
 * shown with an access token alone requires any proof.
 */
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { MANAGE_QUERY, FIELDS } from '../../src/contract/form-fields.js';
import type { ManageConfirmState } from '../../src/contract/manage-state.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { ConfirmProps } from '../factors/factor.js';
import { findEnrollable } from '../factors/registry.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { toAccount, toHiddenFields } from '../ui/account/manage-frame.js';
import { CancelLink } from '../ui/account/cancel-link.js';
import { findAlertId, FaultAlert, useFault, type FaultCode } from '../ui/account/fault.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { PasswordInput } from '../ui/password-input.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';
import { ConfirmByMail } from './manage-confirm-mail.js';

const PASSWORD_ERRORS: readonly FaultCode[] = ['no password given', 'current password invalid'];
/** Texts of the links to the methods that are not factors. */
const OTHER_METHODS: Readonly<Record<string, MessageKey>> = { password: 'confirm.use_password', mail: 'confirm.use_mail' };

/** Pages that require a proof, although opening them changes nothing. The proof may be old. */
const PROTECTED_LISTS: readonly string[] = [PATHS.manageDevices, PATHS.manageApps, PATHS.manageActivity];

/** Pages that require a fresh proof, although they do not change how the person signs in. */
const OTHER_CHANGES: readonly string[] = [PATHS.manageData, PATHS.manageDeletion];

export const heading = (_: PageOf<'manage_confirm'>) => phrase('confirm.heading');

export function Page({ state }: { state: PageOf<'manage_confirm'> }) {
  const { t } = useTranslation();
  const { manage_confirm: confirm, user } = state;
  const { fault } = useFault(confirm.error, { retryAfterSeconds: confirm.retry_after });
  const { methods } = confirm;
  const otherLinks = (
    <>
      <OtherMethods confirm={confirm} />
      <CancelLink />
    </>
  );
  return (
    <div className="flow">
      <Heading heading={heading(state)}>
        <p>{toIntroduction(confirm, t)}</p>
        {confirm.next.includes(`?${MANAGE_QUERY.kept}=`) && <p>{t('confirm.kept')}</p>}
      </Heading>
      {user && <AccountChip account={toAccount(user)} label="account.signed_in_as" />}
      {methods.length === 0 && <FaultAlert fault={fault} />}
      {methods.length > 0 ? <Proof state={state} fault={fault} otherLinks={otherLinks} /> : <BackToSettings />}
    </div>
  );
}

function BackToSettings() {
  const { t } = useTranslation();
  return (
    <a className="btn primary" href={PATHS.manage}>
      {t('settings.to_settings')}
    </a>
  );
}

function toIntroduction({ methods, method, mail, next }: ManageConfirmState, t: TFunction): string {
  const address = mail?.address ?? '';
  const isForList = PROTECTED_LISTS.includes(next);
  if (methods.length === 0) return t(isForList ? 'confirm.no_way_to_see' : 'confirm.no_way');
  if (method === 'mail' && mail?.sent) return t('confirm.mail_sent', { address });
  if (isForList) return t(method === 'mail' ? 'confirm.see_mail' : 'confirm.see', { address });
  if (OTHER_CHANGES.includes(next)) {
    const text = t('confirm.text_general');
    return method === 'mail' ? `${text} ${t('factor.email_verify_text', { address })}` : text;
  }
  if (method !== 'mail') return t(findEnrollable(method)?.setUp.confirm.text ?? 'confirm.text_password');
  return t('confirm.text_mail', { address });
}

function Proof(props: ConfirmProps) {
  const { method } = props.state.manage_confirm;
  const factor = findEnrollable(method);
  if (factor) return <factor.setUp.confirm.View {...props} />;
  return method === 'mail' ? <ConfirmByMail {...props} /> : <ConfirmByPassword {...props} />;
}

function ConfirmByPassword({ state, fault, otherLinks }: ConfirmProps) {
  const { t } = useTranslation();
  const { next } = state.manage_confirm;
  return (
    <Form
      className="flow"
      action={PATHS.manageConfirm}
      hidden={{ ...toHiddenFields(state), [FIELDS.next]: next, [FIELDS.method]: 'password' }}
    >
      <AccountName username={state.user?.username} />
      <FaultAlert fault={fault} fieldCodes={PASSWORD_ERRORS} />
      <Field
        name={FIELDS.password}
        label={t('confirm.password')}
        alertId={findAlertId(fault, PASSWORD_ERRORS)}
        requiredMessage={t('confirm.password_missing')}
      >
        {(wiring) => (
          <PasswordInput {...wiring} autoComplete="current-password" autoFocus={!fault || PASSWORD_ERRORS.includes(fault.code)} />
        )}
      </Field>
      <div className="tight">
        <SubmitButton primary label={t('confirm.submit')} busyLabel={t('factor.checking')} />
        {otherLinks}
      </div>
    </Form>
  );
}

function OtherMethods({ confirm: { methods, method, next } }: { confirm: ManageConfirmState }) {
  const { t } = useTranslation();
  return methods
    .filter((otherMethod) => otherMethod !== method)
    .map((otherMethod) => (
      <a key={otherMethod} className="btn quiet" href={buildMethodUrl(otherMethod, next)}>
        {t(findEnrollable(otherMethod)?.setUp.confirm.use ?? OTHER_METHODS[otherMethod] ?? 'confirm.use_password')}
      </a>
    ));
}

function buildMethodUrl(method: string, next: string): string {
  const search = new URLSearchParams({ [FIELDS.next]: next, [MANAGE_QUERY.method]: method });
  return `${PATHS.manageConfirm}?${search.toString()}`;
}
