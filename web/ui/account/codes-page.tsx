/** Shows new recovery codes. Its form continues and confirms to the server that the person has seen the codes. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { ManageFrame } from '../../../src/contract/manage-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { phrase } from '../../i18n/phrase.js';
import { Form, SubmitButton } from '../form.js';
import { Heading } from '../heading.js';
import { buildWindowTitle } from '../window-title.js';
import { toHiddenFields } from './manage-frame.js';
import { RecoveryCodes } from './recovery-codes.js';

interface Props {
  frame: ManageFrame;
  codes: readonly string[];
  appName: string;
  /** Name of the kind of factor whose set-up created the codes. */
  factor?: string;
  /** True if the codes come from an RPC call, so that this view replaces the page of the enrolment. */
  live?: boolean;
}

export function CodesPage({ frame, codes, appName, factor = '', live = false }: Props) {
  const { t } = useTranslation();
  const heading = phrase('factor.codes_heading');
  const hidden = { ...toHiddenFields(frame), [FIELDS.code]: codes[0] ?? '', [FIELDS.method]: factor };
  return (
    <Form className="flow" action={PATHS.manageRecoveryCodesSeen} hidden={hidden}>
      <Heading heading={heading} newTitle={live ? buildWindowTitle(t(...heading), appName) : null}>
        <p>{t('factor.codes_text')}</p>
      </Heading>
      <RecoveryCodes codes={codes} appName={appName} />
      <div className="actions">
        <SubmitButton primary label={t('factor.codes_kept')} busyLabel={t('app.one_moment')} />
      </div>
    </Form>
  );
}
