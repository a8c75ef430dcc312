/** Changes the username (MAN-5, ERR-4). */
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { leaveFor } from '../browser/address.js';
import type { Send } from '../browser/busy-submit.js';
import { phrase } from '../i18n/phrase.js';
import { CancelLink } from '../ui/account/cancel-link.js';
import { BACK_TO_SETTINGS, toHiddenFields, buildSettingsUrl, useRpcClient } from '../ui/account/manage-frame.js';
import { findAlertId, FaultAlert, useFault } from '../ui/account/fault.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { LastChange } from '../ui/account/last-change.js';
import { UsernameInput } from '../ui/username-input.js';

export const heading = (_: PageOf<'manage_username'>) => phrase('manage_username.heading');

export function Page({ state }: { state: PageOf<'manage_username'> }) {
  const { t } = useTranslation();
  const { error, username, retry_after: retryAfterSeconds } = state.manage_username;
  const calls = useRpcClient(state, null);
  const form = useRef<HTMLFormElement>(null);
  const { fault, report } = useFault(error, { retryAfterSeconds });
  const save: Send = async (fields) => {
    const answer = await calls.put('/username', { username: fields[FIELDS.username] ?? '' });
    if (answer.kind === 'answered') return leaveFor(buildSettingsUrl('username-success'));
    // The form is posted, so that the server stores the typed name until there is a fresh proof.
    if (answer.code === 'proof required') {
      form.current?.submit();
      return 'leaves';
    }
    report(answer);
    return 'stays';
  };
  if (fault?.code === 'username elsewhere') {
    return (
      <div className="flow">
        <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS} />
        <FaultAlert fault={fault} />
      </div>
    );
  }
  return (
    <Form form={form} className="flow" action={PATHS.manageUsername} hidden={toHiddenFields(state)} send={save}>
      <Heading heading={heading(state)} backLink={BACK_TO_SETTINGS}>
        <p>{t('manage_username.text')}</p>
      </Heading>
      <LastChange frame={state} />
      <FaultAlert fault={fault} />
      <div className="stack narrow">
        <Field
          name={FIELDS.username}
          label={t('manage_username.new')}
          hint={t('manage_username.hint')}
          alertId={findAlertId(fault, ['username is empty', 'username is invalid', 'username not available'])}
          requiredMessage={t('manage_username.missing')}
        >
          {(wiring) => <UsernameInput {...wiring} autoFocus={!fault} defaultValue={username} />}
        </Field>
      </div>
      <div className="actions">
        <SubmitButton primary label={t('settings.save')} busyLabel={t('settings.saving')} />
        <CancelLink />
      </div>
    </Form>
  );
}
