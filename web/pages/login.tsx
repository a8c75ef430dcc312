/** The login page: signs in with username and password, or in one of the other ways (LOG-1, 3, 5, 6, 8, 12, 13, 17). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState, PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { keepUsername } from '../browser/kept-username.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { Isolated } from '../i18n/isolated.js';
import { phrase } from '../i18n/phrase.js';
import { ALERT_ID } from '../ui/alert.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { PasswordInput } from '../ui/password-input.js';
import { Heading } from '../ui/heading.js';
import { UsernameInput } from '../ui/username-input.js';
import { ClientPolicy } from '../ui/client-policy.js';
import { LoginPasskey } from './login-passkey.js';
import { isRejected, LoginAlert } from './login-alert.js';
import { LoginProviders } from './login-providers.js';
import { LoginRegister, offersRegistration } from './login-register.js';
import { LoginWays, hasWays } from './login-ways.js';

export const heading = ({ login: { client } }: PageOf<'login'>) =>
  client?.name ? phrase('login.heading_client', { client: client.name }) : phrase('login.heading');

/** The heading, in which the name of the app has its own line. */
const MarkedHeading = ({ name }: { name: string }) => (
  <MarkedPhrase i18nKey="login.heading_marked" components={{ client: <Isolated text={name} />, to: <span className="to" /> }} />
);

export function Page({ state }: { state: PageOf<'login'> }) {
  const { t } = useTranslation();
  const { login } = state;
  const name = login.client?.name;
  return (
    <div className="flow">
      <Heading heading={heading(state)} markedHeading={name && <MarkedHeading name={name} />} client={login.client} />
      <LoginAlert login={login} app={state.app} />
      <ConnectNote login={login} />
      <Form
        className="stack"
        action={PATHS.loginNative}
        hidden={{
          [FIELDS.loginChallenge]: login.login_challenge,
          [FIELDS.xsrf]: login.xsrf_token,
          [FIELDS.ticket]: login.ticket,
          ...(login.connect && { [FIELDS.connectOffer]: login.connect.offer }),
          ...(login.password_here && { [FIELDS.passwordHere]: 'true' }),
        }}
      >
        {login.error === 'challenge' ? (
          <fieldset disabled>
            <div className="stack">
              <Fields login={login} />
            </div>
          </fieldset>
        ) : (
          <Fields login={login} />
        )}
      </Form>
      {login.code_url && (
        <a className="btn quiet" href={login.code_url} onClick={keepUsername}>
          {t('login.by_code')}
        </a>
      )}
      {!hasWays(login) && <LoginProviders login={login} />}
      {offersRegistration(login) && !isNewPerson(login) && <LoginRegister login={login} />}
      {login.client && <ClientPolicy client={login.client} />}
    </div>
  );
}

/** After a failed attempt, the page still says what the sign-in connects. */
function ConnectNote({ login: { connect, error } }: { login: LoginState }) {
  const { t } = useTranslation();
  if (!connect || error === 'connect') return null;
  const { provider } = connect;
  return (
    <p>
      {t('login.connect', { provider })} {t('login.connect_next', { provider })}
    </p>
  );
}

function Fields({ login }: { login: LoginState }) {
  const { t } = useTranslation();
  const focusField = findFocusField(login);
  // If no passwords are accepted for this username, `LoginWays` shows the passkey button.
  const passkey = login.limited === 'account' ? undefined : login.passkey;
  return (
    <>
      <LoginWays login={login} />
      {passkey?.first && (
        <>
          <LoginPasskey passkey={passkey} />
          <p className="or needs-script">{t('login.or')}</p>
        </>
      )}
      <Field {...toFieldProps(login, FIELDS.username, t('login.username_missing'))} label={t(`login.${login.by ?? 'username'}`)}>
        {(wiring) => (
          <UsernameInput
            {...wiring}
            {...(login.passkey && { autoComplete: 'username webauthn' })}
            autoFocus={focusField === 'username'}
            defaultValue={login.username}
          />
        )}
      </Field>
      <Field
        {...toFieldProps(login, FIELDS.password, t('login.password_missing'))}
        label={t('login.password')}
        alertId={isRejected(login) ? ALERT_ID : undefined}
      >
        {(wiring) => <PasswordInput {...wiring} autoComplete="current-password" autoFocus={focusField === 'password'} />}
      </Field>
      {(login.remember === 'ask' || login.password_reset_url) && (
        <div className="split">
          {login.remember === 'ask' && (
            <label className="check">
              <input type="checkbox" name={FIELDS.remember} value="true" defaultChecked={login.remember_checked} />{' '}
              {t('login.remember')}
            </label>
          )}
          {login.password_reset_url && (
            <a href={login.password_reset_url} onClick={keepUsername}>
              {t('login.forgot')}
            </a>
          )}
        </div>
      )}
      <SubmitButton primary={!passkey?.first && !hasWays(login)} label={t('login.submit')} busyLabel={t('login.submitting')} />
      {passkey && !passkey.first && <LoginPasskey passkey={passkey} />}
    </>
  );
}

/** Whoever is sent to a provider has no password here, so the browser does not require one. */
function toFieldProps(login: LoginState, name: 'username' | 'password', missingMessage: string) {
  const isOptional = name === 'password' && login.by_domain === true;
  const error = login.missing.includes(name) ? missingMessage : undefined;
  return { name, error, ...(!isOptional && { requiredMessage: missingMessage }) };
}

/** @returns whether no account is connected to the identity of the provider. If so, the offer of the registration is in the alert. */
const isNewPerson = ({ error, provider }: LoginState) => error === 'credentials' && provider !== undefined;

/**
 * @returns the field that gets the focus; undefined if the alert gets the focus. After a wrong username or password, the password field
 *   has priority.
 */
function findFocusField(login: LoginState): 'username' | 'password' | undefined {
  if (isRejected(login)) return 'password';
  if (login.error) return undefined;
  return login.missing[0] ?? (login.username ? 'password' : 'username');
}
