/** Shows how many recovery codes are left, creates new codes, and shows the new codes once. */
import { useTranslation } from 'react-i18next';
import { ENOUGH_RECOVERY_CODES } from '../../src/contract/manage-protection.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { CancelLink } from '../ui/account/cancel-link.js';
import { BACK_TO_MFA, toHiddenFields } from '../ui/account/manage-frame.js';
import { CodesPage } from '../ui/account/codes-page.js';
import { FaultAlert, useFault } from '../ui/account/fault.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Notice } from '../ui/notice.js';
import { Heading } from '../ui/heading.js';

export function heading({ manage_recovery_codes: { codes } }: PageOf<'manage_recovery_codes'>) {
  return phrase(codes ? 'factor.codes_heading' : 'factor.codes');
}

export function Page({ state }: { state: PageOf<'manage_recovery_codes'> }) {
  const { t } = useTranslation();
  const { codes, left: codesLeft, unseen = false, error } = state.manage_recovery_codes;
  const { fault } = useFault(error);

  if (codes) return <CodesPage frame={state} codes={codes} appName={state.app.name} />;
  return (
    <Form className="flow" action={PATHS.manageRecoveryCodes} hidden={toHiddenFields(state)}>
      <Heading heading={heading(state)} backLink={BACK_TO_MFA}>
        <p>{t('codes.text')}</p>
      </Heading>
      <FaultAlert fault={fault} />
      <Notice
        tone={unseen || codesLeft < ENOUGH_RECOVERY_CODES ? 'warning' : 'info'}
        message={unseen ? t('factor.codes_unseen') : t('settings.codes_left', { count: codesLeft })}
      >
        <p>{t('codes.renew_text')}</p>
      </Notice>
      <div className="actions">
        <SubmitButton primary className="danger" label={t('codes.renew')} busyLabel={t('app.one_moment')} />
        <CancelLink />
      </div>
    </Form>
  );
}
