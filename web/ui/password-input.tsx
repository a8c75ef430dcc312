/**
 * A password field with a button that shows the password. The password is hidden again when the form is sent, so that browsers offer to
 * save the password.
 */
import { useState, type InputHTMLAttributes } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmission } from './form.js';
import { PeekIcons } from './icons.js';

type Props = InputHTMLAttributes<HTMLInputElement> & { autoComplete: 'current-password' | 'new-password' };

export function PasswordInput(props: Props) {
  const [isShown, setShown] = useState(false);
  const { t } = useTranslation();
  const isSending = useSubmission() !== null;
  const isVisible = isShown && !isSending;
  return (
    <div className="box">
      <input {...props} type={isVisible ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button
        className="peek"
        type="button"
        aria-pressed={isVisible}
        aria-controls={props.id}
        aria-label={t('password.show')}
        onClick={() => setShown(!isVisible)}
      >
        <PeekIcons />
      </button>
    </div>
  );
}
