/** Offers the registration: always if people create their accounts here, otherwise if the app has sent hints (LOG-4). */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { Form } from '../ui/form.js';

interface Props {
  login: LoginState;
  /** Classes of the button. */
  className?: string;
}

export const offersRegistration = ({ can_register: canRegister, reg_hints: hints }: LoginState): boolean =>
  canRegister === true || hints.length > 0;

export function LoginRegister({ login, className = 'text' }: Props) {
  const { t } = useTranslation();
  const hidden: Record<string, string> = { [FIELDS.loginChallenge]: login.login_challenge, [FIELDS.xsrf]: login.xsrf_token };
  for (const { key, value } of login.reg_hints) hidden[`hints[${key}]`] = value;
  return (
    <Form className="small" action={PATHS.register} hidden={hidden}>
      <span className="quiet-text">{t('login.no_account')}</span>{' '}
      <button className={className} type="submit">
        {t('login.register')}
      </button>
    </Form>
  );
}
