/** Asks whether to log out, because any page on the web can link to the address that starts a logout (OUT-2). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LogoutState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import type { Phrase } from '../i18n/phrase.js';
import { Form, SubmitButton } from '../ui/form.js';
import { AccountChip } from '../ui/account-chip.js';
import { Heading } from '../ui/heading.js';

interface Props {
  heading: Phrase;
  logout: LogoutState;
  appName: string;
}

export function LogoutQuestion({ heading, logout, appName: app }: Props) {
  const { t } = useTranslation();
  return (
    <Form
      className="flow"
      action={PATHS.logoutAccept}
      hidden={{ [FIELDS.logoutChallenge]: logout.logout_challenge, [FIELDS.xsrf]: logout.xsrf_token }}
    >
      <Heading heading={heading}>
        <p>
          {logout.client ? (
            <MarkedPhrase
              i18nKey="logout.what_client"
              components={{ app: <Isolated text={app} />, client: <Isolated text={logout.client.name} />, name: <b /> }}
            />
          ) : (
            <MarkedPhrase i18nKey="logout.what" components={{ app: <Isolated text={app} /> }} />
          )}
        </p>
      </Heading>
      {logout.account && <AccountChip account={logout.account} label="account.signed_in_as" />}
      <div className="pair">
        <SubmitButton label={t('logout.cancel')} busyLabel={t('app.one_moment')} formAction={PATHS.logoutReject} />
        <SubmitButton primary label={t('logout.accept')} busyLabel={t('logout.accepting')} />
      </div>
    </Form>
  );
}
