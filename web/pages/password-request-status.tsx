/**
 * The answer to a request for a link: a success, which is the same for every username and lists possible reasons if no mail arrives, or
 * a technical error (PWR-2).
 */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { phrase } from '../i18n/phrase.js';
import { DangerIcon, Icon } from '../ui/icons.js';
import { Heading } from '../ui/heading.js';

/** This icon is not in `ui/icons.tsx`, because every page loads that file. */
const MailIcon = () => (
  <Icon>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <path d="m3.5 7.5 8.5 6 8.5-6" />
  </Icon>
);

const isSent = ({ password_request_status: { status } }: PageOf<'password_request_status'>) => status === 'success';

export const heading = (state: PageOf<'password_request_status'>) =>
  phrase(isSent(state) ? 'password_request.sent' : 'password_request.error');

export function Page({ state }: { state: PageOf<'password_request_status'> }) {
  const { t } = useTranslation();
  const wasSent = isSent(state);
  const byEmail = state.password_request_status.by_email === true;
  const sentText = byEmail ? 'password_request.sent_text_by_email' : 'password_request.sent_text';
  const signIn = state.password_request_status.restart_url ?? state.app.home_url;
  return (
    <div className="flow">
      <Heading
        heading={heading(state)}
        outcome={wasSent ? { Icon: MailIcon } : { tone: 'danger', Icon: DangerIcon }}
        backLink={signIn === undefined ? undefined : { href: signIn, label: 'password_request.back' }}
      >
        <p>{t(wasSent ? sentText : 'password_request.error_text')}</p>
        {wasSent && <p>{t('password_request.sent_wait')}</p>}
      </Heading>
      {wasSent && <Reasons byEmail={byEmail} />}
      <a className={wasSent ? 'btn' : 'btn primary'} href={state.password_request_status.again_url}>
        {t('app.try_again')}
      </a>
    </div>
  );
}

function Reasons({ byEmail }: { byEmail: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <hr />
      <section className="stack">
        <h2>{t('password_request.no_mail')}</h2>
        <p>{t('password_request.reasons')}</p>
        <ul className="bullets">
          <li>{t(byEmail ? 'password_request.reason_account_by_email' : 'password_request.reason_account')}</li>
          <li>{t('password_request.reason_blocked')}</li>
          <li>{t('password_request.reason_provider')}</li>
        </ul>
      </section>
    </>
  );
}
