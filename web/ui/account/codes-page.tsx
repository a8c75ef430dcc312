/** The end of an enrolment: the recovery codes, and a link to continue. */
import { useTranslation } from 'react-i18next';
import { phrase } from '../../i18n/phrase.js';
import { Heading } from '../heading.js';
import { windowTitle } from '../window-title.js';
import { RecoveryCodes } from './recovery-codes.js';

interface Props {
  codes: readonly string[];
  appName: string;
  next: string;
  /** They come from an RPC call on the page of the enrolment. */
  live?: boolean;
}

export function CodesPage({ codes, appName, next, live = false }: Props) {
  const { t } = useTranslation();
  const heading = phrase('factor.codes_heading');
  return (
    <div className="flow">
      <Heading heading={heading} newTitle={live ? windowTitle(t(...heading), appName) : null}>
        <p>{t('factor.codes_text')}</p>
      </Heading>
      <RecoveryCodes codes={codes} appName={appName} />
      <div className="actions">
        <a className="btn primary" href={next}>
          {t('factor.codes_kept')}
        </a>
      </div>
    </div>
  );
}
