/** Asks a signed-in person whether to continue with this account or to use another one (HNT-1 … 5). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { phrase } from '../i18n/phrase.js';
import { ChallengeAlert } from '../ui/challenge-fault.js';
import { Form, SubmitButton } from '../ui/form.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';

export const heading = () => phrase('login_hint.heading');

export function Page({ state }: { state: PageOf<'login_hint'> }) {
  const { login_hint: hint, app } = state;
  const { t } = useTranslation();
  const { account } = hint;

  if (hint.error || !account) {
    return (
      <div className="flow">
        <Heading heading={heading()} client={hint.client} />
        <ChallengeAlert fault={hint.challenge_fault} restartUrl={hint.restart_url} asksCode={hint.restart_asks_code} app={app} />
      </div>
    );
  }
  return (
    <Form
      className="flow"
      action={PATHS.loginProceed}
      hidden={{
        [FIELDS.loginChallenge]: hint.login_challenge,
        [FIELDS.xsrf]: hint.xsrf_token,
        [FIELDS.user]: account.id,
        [FIELDS.proceed]: 'true',
        [FIELDS.ticket]: hint.ticket,
      }}
    >
      <Heading heading={heading()} client={hint.client}>
        {hint.client?.name && (
          <p>
            <MarkedPhrase i18nKey="login_hint.then" components={{ client: <Isolated text={hint.client.name} />, name: <b /> }} />
          </p>
        )}
        <p>{t('login_hint.logged_in_as')}</p>
      </Heading>
      <AccountChip account={account} showId />
      <div className="tight">
        <SubmitButton primary label={t('login_hint.proceed')} busyLabel={t('app.one_moment')} />
        {hint.other_account_url && (
          <a className="btn quiet" href={hint.other_account_url}>
            {t('login_hint.other_account')}
          </a>
        )}
      </div>
    </Form>
  );
}
