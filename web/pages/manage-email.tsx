/** Changes the e-mail address: asks for the new address, then for the code that was mailed to it (EML-1). The forms work without script. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { CancelLink } from '../ui/account/cancel-link.js';
import { CodeField } from '../ui/account/code-field.js';
import { EmailField } from '../ui/account/email-field.js';
import { FaultAlert, useFault, type Fault, type FaultWords } from '../ui/account/fault.js';
import { LastChange } from '../ui/account/last-change.js';
import { BACK_TO_SETTINGS, toHiddenFields } from '../ui/account/manage-frame.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';

type State = PageOf<'manage_email'>;

const WORDS: FaultWords = {
  'invalid verification code': ['factor.email_wrong', 'factor.email_wrong_next'],
  'session expired': ['factor.email_expired', 'factor.email_expired_next'],
};

export const heading = ({ manage_email: { current, sent_to: sentTo } }: State) => {
  if (sentTo !== undefined) return phrase('factor.email_verify_heading');
  return phrase(current === null ? 'manage_email.heading_add' : 'manage_email.heading');
};

export function Page({ state }: { state: State }) {
  const { t } = useTranslation();
  const { error, current, sent_to: sentTo, retry_after: retryAfterSeconds } = state.manage_email;
  const { fault } = useFault(error, { retryAfterSeconds });
  const isElsewhere = error === 'email elsewhere';
  return (
    <div className="flow">
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        {sentTo === undefined && !isElsewhere && (
          <p>{current === null ? t('manage_email.text_add') : t('manage_email.text', { address: current })}</p>
        )}
      </Heading>
      <LastChange frame={state} />
      {(sentTo === undefined || isElsewhere) && <FaultAlert fault={fault} words={WORDS} />}
      {!isElsewhere &&
        (sentTo === undefined ? <AddressForm state={state} fault={fault} /> : <CodeForm state={state} fault={fault} />)}
    </div>
  );
}

function AddressForm({ state, fault }: { state: State; fault: Fault | null }) {
  const { t } = useTranslation();
  return (
    <Form className="flow" action={PATHS.manageEmail} hidden={toHiddenFields(state)}>
      <div className="stack narrow">
        <EmailField
          label={t('manage_email.new')}
          hint={t('manage_email.hint')}
          requiredMessage={t('manage_email.missing')}
          fault={fault}
          value={state.manage_email.email}
          autoFocus={!fault}
        />
      </div>
      <div className="actions">
        <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
        <CancelLink />
      </div>
    </Form>
  );
}

function CodeForm({ state, fault }: { state: State; fault: Fault | null }) {
  const { t } = useTranslation();
  const { sent_to: address = '' } = state.manage_email;
  return (
    <div className="tight">
      <Form className="flow" action={PATHS.manageEmailCode} hidden={toHiddenFields(state)}>
        <p>{t('factor.email_sent', { address })}</p>
        <CodeField fault={fault} words={WORDS} missingMessage="factor.email_missing" autoFocus />
        <SubmitButton primary label={t('manage_email.confirm')} busyLabel={t('factor.checking')} />
      </Form>
      <Form className="tight" action={PATHS.manageEmail} hidden={{ ...toHiddenFields(state), [FIELDS.email]: address }}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        <a className="btn quiet" href={PATHS.manageEmail}>
          {t('manage_email.other')}
        </a>
      </Form>
    </div>
  );
}
