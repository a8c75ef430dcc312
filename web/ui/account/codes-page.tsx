/** The end of an enrolment: the recovery codes, and a form that continues and says that they were seen. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { ManageFrame } from '../../../src/contract/manage-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { phrase } from '../../i18n/phrase.js';
import { Form, SubmitButton } from '../form.js';
import { Heading } from '../heading.js';
import { windowTitle } from '../window-title.js';
import { hiddenOf } from './manage-frame.js';
import { RecoveryCodes } from './recovery-codes.js';

interface Props {
  frame: ManageFrame;
  codes: readonly string[];
  appName: string;
  /** Name of the kind whose set-up brought them. */
  setUp?: string;
  /** They come from an RPC call on the page of the enrolment. */
  live?: boolean;
}

export function CodesPage({ frame, codes, appName, setUp = '', live = false }: Props) {
  const { t } = useTranslation();
  const heading = phrase('factor.codes_heading');
  const hidden = { ...hiddenOf(frame), [FIELDS.code]: codes[0] ?? '', [FIELDS.method]: setUp };
  return (
    <Form className="flow" action={PATHS.manageRecoveryCodesSeen} hidden={hidden}>
      <Heading heading={heading} newTitle={live ? windowTitle(t(...heading), appName) : null}>
        <p>{t('factor.codes_text')}</p>
      </Heading>
      <RecoveryCodes codes={codes} appName={appName} />
      <div className="actions">
        <SubmitButton primary label={t('factor.codes_kept')} busyLabel={t('app.one_moment')} />
      </div>
    </Form>
  );
}
