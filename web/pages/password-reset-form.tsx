/**
 * The form for a new password (PWR-4, PWR-5). A link opens it, from a mail or from a contact person. The form is always posted, because
 * the page has no token for RPC calls.
 */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { NEW_PASSWORD_WORDS, NewPasswordFields } from '../ui/account/new-password-fields.js';
import { AccountChip } from '../ui/account-chip.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';

export const heading = (_: PageOf<'password_reset_form'>) => phrase('password_reset.heading');

export function Page({ state }: { state: PageOf<'password_reset_form'> }) {
  const { t } = useTranslation();
  const { account, reset_token: token, xsrf_token: xsrf } = state.password_reset_form;
  const id = useId();
  const words = { label: t('password_reset.submit'), busyLabel: t('password_reset.submitting') };
  return (
    <Form id={id} className="flow" action={PATHS.passwordReset} hidden={{ [FIELDS.resetToken]: token, [FIELDS.xsrf]: xsrf }}>
      <Heading heading={heading(state)}>
        <p>{t('password_reset.text')}</p>
      </Heading>
      {account && <AccountChip account={account} label="account.account" />}
      <AccountName username={account?.username} />
      <NewPasswordFields formId={id} form={state.password_reset_form} words={NEW_PASSWORD_WORDS} />
      <SubmitButton primary {...words} />
    </Form>
  );
}
