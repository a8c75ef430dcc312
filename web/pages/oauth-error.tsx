/**
 * An error that Hydra reports about an app's request or a logout (ERR-5). The text comes from the address, which anybody can write, so
 * the page only quotes the text.
 */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { toReportedError } from '../../src/contract/oauth-errors.js';
import { phrase } from '../i18n/phrase.js';
import { ErrorDetails } from '../ui/account/error-details.js';
import { Icon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';
import { ContinueLink } from '../ui/continue-link.js';

const UnpluggedIcon = () => (
  <Icon>
    <path d="m4 20 3.2-3.2M20 4l-3.2 3.2M8.5 10.5l5 5-1.7 1.7a3.5 3.5 0 0 1-5-5ZM10.5 13.5l1.5-1.5M12.5 15.5 14 14M13 6.5l1.2-.7a3.5 3.5 0 0 1 4.5 4.5L17.5 11Z" />
  </Icon>
);

export const heading = ({ oauth_error: { logout_url: logoutUrl } }: PageOf<'oauth_error'>) =>
  phrase(logoutUrl === undefined ? 'oauth_error.heading' : 'oauth_error.logout_heading');

export function Page({ state }: { state: PageOf<'oauth_error'> }) {
  const { t } = useTranslation();
  const { oauth_error: error, app } = state;
  const reportedError = toReportedError(error.error, error.error_description);
  const hasFacts = error.error !== '' || error.error_description !== '';
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={{ tone: 'danger', Icon: UnpluggedIcon }}>
        <p>{t(error.logout_url === undefined ? 'oauth_error.text' : 'oauth_error.logout_text')}</p>
      </Heading>
      {error.logout_url === undefined ? (
        <ContinueLink app={app} isPrimary />
      ) : (
        <a className="btn primary" href={error.logout_url}>
          {t('oauth_error.logout')}
        </a>
      )}
      {hasFacts && (
        <ErrorDetails
          explanation={t('oauth_error.pass_on')}
          facts={[
            { name: 'facts.error', value: reportedError.code, lang: 'en' },
            { name: 'facts.description', value: reportedError.description, lang: 'en' },
          ]}
        >
          {reportedError.foreignText !== '' && (
            <details className="unfolds">
              <summary>{t('oauth_error.other')}</summary>
              <p>{t('oauth_error.other_text')}</p>
              <blockquote>{reportedError.foreignText}</blockquote>
            </details>
          )}
        </ErrorDetails>
      )}
    </div>
  );
}
