/** The password may be right, and nobody is signed in: why, and what to do. */
import { useTranslation } from 'react-i18next';
import type { LoginSourceState, PageOf } from '../../src/contract/page-state.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { ClockIcon, DangerIcon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';
import type { Outcome } from '../ui/heading.js';

const LATER: Outcome = { tone: 'warning', Icon: ClockIcon };

const ENDS: Record<LoginSourceState['error'], { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  unavailable: { outcome: LATER, heading: 'login_source.unavailable', text: 'login_source.unavailable_text' },
  'password-change': { outcome: LATER, heading: 'login_source.change', text: 'login_source.change_text' },
  'not-allowed': {
    outcome: { tone: 'danger', Icon: DangerIcon },
    heading: 'login_source.refused',
    text: 'login_source.refused_text',
  },
};

export const heading = ({ login_source: { error } }: PageOf<'login_source'>) => phrase(ENDS[error].heading);

export function Page({ state }: { state: PageOf<'login_source'> }) {
  const { t } = useTranslation();
  const { error, retry_url, password_url } = state.login_source;
  const { outcome, text } = ENDS[error];
  const changes = error === 'password-change' && password_url !== undefined;
  return (
    <div className="flow" role="alert" data-code={error}>
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(text)}</p>
      </Heading>
      {changes && (
        <a className="btn primary" href={password_url} rel="noreferrer">
          {t('login_source.change_link')}
        </a>
      )}
      <a className={changes ? 'btn' : 'btn primary'} href={retry_url}>
        {t('login_source.retry')}
      </a>
    </div>
  );
}
