/** Asks whether an app may replace the open account area with the account area of another account. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../i18n/phrase.js';
import { toHiddenFields } from '../ui/account/manage-frame.js';
import { AccountChip } from '../ui/account-chip.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';

export const heading = (_: PageOf<'manage_switch'>) => phrase('manage_switch.heading');

export function Page({ state }: { state: PageOf<'manage_switch'> }) {
  const { t } = useTranslation();
  const { account, entry } = state.manage_switch;
  return (
    <Form className="flow" action={PATHS.manageSwitch} hidden={{ ...toHiddenFields(state), [FIELDS.entry]: entry }}>
      <Heading heading={heading(state)}>
        <p>{t('manage_switch.text', { username: state.user?.username ?? '' })}</p>
      </Heading>
      <AccountChip account={account} label="account.account" showId />
      <div className="actions">
        <a className="btn primary" href={PATHS.manage}>
          {t('manage_switch.stay')}
        </a>
        <SubmitButton label={t('manage_switch.open')} busyLabel={t('app.one_moment')} />
      </div>
    </Form>
  );
}
