/** Sign in with username and password (LOG-1, 3, 5, 6, 8, 12, 13). */
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginPage, LoginState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase } from '../phrases/phrase.js';
import { usePhrases } from '../phrases/say.js';
import { ALERT_ID } from '../ui/alert.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { PasswordInput } from '../ui/password-input.js';
import { Sign } from '../ui/sign.js';
import { UsernameInput } from '../ui/username-input.js';
import { LoginAlert } from './login-alert.js';
import { LoginProviders } from './login-providers.js';
import { LoginRegister } from './login-register.js';

export const heading = ({ login: { client } }: LoginPage) =>
  client?.name ? phrase('login.heading_client', { client: client.name }) : phrase('login.heading');

export function Page({ state }: { state: LoginPage }) {
  const { login } = state;
  return (
    <div className="flow">
      <Sign heading={heading(state)} client={login.client} />
      <LoginAlert login={login} app={state.app} />
      <Form
        className="stack"
        action={PATHS.loginNative}
        hidden={{
          [FIELDS.loginChallenge]: login.login_challenge,
          [FIELDS.xsrf]: login.xsrf_token,
          [FIELDS.ticket]: login.ticket,
        }}
      >
        {login.error === 'challenge' ? (
          <fieldset className="stack" disabled>
            <Fields login={login} />
          </fieldset>
        ) : (
          <Fields login={login} />
        )}
      </Form>
      <LoginProviders login={login} />
      {login.reg_hints.length > 0 && <LoginRegister login={login} />}
    </div>
  );
}

function Fields({ login }: { login: LoginState }) {
  const { text } = usePhrases();
  const first = firstField(login);
  const rejected = login.error === 'credentials' && !login.provider && { 'aria-invalid': true, 'aria-describedby': ALERT_ID };
  const missing = (field: 'username' | 'password') =>
    login.missing.includes(field) ? text(`login.${field}_missing`) : undefined;
  return (
    <>
      <Field
        name={FIELDS.username}
        label={text('login.username')}
        error={missing('username')}
        requiredMessage={text('login.username_missing')}
      >
        {(wiring) => <UsernameInput {...wiring} autoFocus={first === 'username'} defaultValue={login.username} />}
      </Field>
      <Field
        name={FIELDS.password}
        label={text('login.password')}
        error={missing('password')}
        requiredMessage={text('login.password_missing')}
      >
        {(wiring) => <PasswordInput {...wiring} {...rejected} autoComplete="current-password" autoFocus={first === 'password'} />}
      </Field>
      {(login.remember === 'ask' || login.password_reset_url) && (
        <div className="split">
          {login.remember === 'ask' && (
            <label className="check">
              <input type="checkbox" name={FIELDS.remember} value="true" defaultChecked={login.remember_checked} />{' '}
              {text('login.remember')}
            </label>
          )}
          {login.password_reset_url && <a href={login.password_reset_url}>{text('login.forgot')}</a>}
        </div>
      )}
      <SubmitButton primary label={text('login.submit')} busyLabel={text('login.submitting')} />
    </>
  );
}

/** Where typing begins; an alert keeps the focus for itself. */
function firstField(login: LoginState): 'username' | 'password' | undefined {
  if (login.error) return undefined;
  return login.missing[0] ?? (login.username ? 'password' : 'username');
}
