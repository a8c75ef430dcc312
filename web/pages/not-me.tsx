/** "That was not me", opened by the link in a notice (NTC-1). Opening the page only asks; the form secures the account. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { NotMeState } from '../../src/contract/reset-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { Form, SubmitButton } from '../ui/form.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';

type Question = Extract<NotMeState, { status: 'ask' }>;
type End = Exclude<NotMeState['status'], 'ask'>;

const ENDS: Record<End, { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'not_me.done', text: 'not_me.done_text' },
  used: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'not_me.used', text: 'not_me.used_text' },
  'error-token': { outcome: { tone: 'warning', Icon: ClockIcon }, heading: 'not_me.expired', text: 'not_me.expired_text' },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'not_me.error', text: 'not_me.error_text' },
};

export const heading = ({ not_me: { status } }: PageOf<'not_me'>) =>
  phrase(status === 'ask' ? 'not_me.heading' : ENDS[status].heading);

export function Page({ state }: { state: PageOf<'not_me'> }) {
  const { not_me: shown } = state;
  return shown.status === 'ask' ? <Ask state={state} question={shown} /> : <Ended state={state} end={shown.status} />;
}

function Ask({ state, question }: { state: PageOf<'not_me'>; question: Question }) {
  const { t } = useTranslation();
  const { token, xsrf_token: xsrf, freeze_hours: count, restored_address: address } = question;
  return (
    <Form className="flow" action={PATHS.notMe} hidden={{ [FIELDS.noticeToken]: token, [FIELDS.xsrf]: xsrf }}>
      <Heading heading={heading(state)}>
        <p>{t('not_me.text')}</p>
      </Heading>
      <ul className="bullets">
        {address !== undefined && <li>{t('not_me.effect_email', { address })}</li>}
        <li>{t('not_me.effect_sessions')}</li>
        <li>{t('not_me.effect_password')}</li>
        <li>{t('not_me.effect_providers')}</li>
        <li>{t('not_me.effect_freeze', { count })}</li>
      </ul>
      <SubmitButton primary label={t('not_me.submit')} busyLabel={t('not_me.submitting')} />
      <p className="hint">{t('not_me.keep')}</p>
    </Form>
  );
}

function Ended({ state, end }: { state: PageOf<'not_me'>; end: End }) {
  const { t } = useTranslation();
  const { outcome, text: key } = ENDS[end];
  const { home_url: signIn } = state.app;
  const isShut = end === 'success' || end === 'used';
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(key)}</p>
        {isShut && <p>{t('not_me.after')}</p>}
      </Heading>
      <div className="tight">
        <a className={end === 'success' ? 'btn' : 'btn primary'} href={PATHS.passwordRequestForm}>
          {t(isShut ? 'not_me.again' : 'not_me.request')}
        </a>
        {signIn && end !== 'success' && (
          <a className="btn quiet" href={signIn}>
            {t('app.go_to_sign_in')}
          </a>
        )}
      </div>
    </div>
  );
}
