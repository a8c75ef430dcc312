/** The way to an account for who has none, where the app gave hints for it (LOG-4). */
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { usePhrases } from '../phrases/say.js';
import { Form } from '../ui/form.js';

export function LoginRegister({ login }: { login: LoginState }) {
  const { text } = usePhrases();
  const hidden: Record<string, string> = { [FIELDS.loginChallenge]: login.login_challenge, [FIELDS.xsrf]: login.xsrf_token };
  for (const { key, value } of login.reg_hints) hidden[`hints[${key}]`] = value;
  return (
    <Form className="small" action={PATHS.register} hidden={hidden}>
      <span className="quiet-text">{text('login.no_account')}</span>{' '}
      <button className="text" type="submit">
        {text('login.register')}
      </button>
    </Form>
  );
}
