/** The end of a set-up: the recovery codes, and the way on once they are kept. */
import { useTranslation } from 'react-i18next';
import { phrase } from '../../i18n/phrase.js';
import { Sign } from '../sign.js';
import { windowTitle } from '../window-title.js';
import { RecoveryCodes } from './recovery-codes.js';

interface Props {
  codes: readonly string[];
  appName: string;
  next: string;
  /** They came by a call, on the page of the set-up. */
  live?: boolean;
}

export function CodesPage({ codes, appName, next, live = false }: Props) {
  const { t } = useTranslation();
  const heading = phrase('factor.codes_heading');
  return (
    <div className="flow">
      <Sign heading={heading} arrivesAs={live ? windowTitle(t(...heading), appName) : null}>
        <p>{t('factor.codes_text')}</p>
      </Sign>
      <RecoveryCodes codes={codes} appName={appName} />
      <div className="actions">
        <a className="btn primary" href={next}>
          {t('factor.codes_kept')}
        </a>
      </div>
    </div>
  );
}
