/** The six digits of an authenticator app (VAL-4). Digits may be pasted in groups; spaces are removed before sending. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../../src/contract/form-fields.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { Field } from '../field.js';
import { useBusy } from '../form.js';

interface Props {
  alertId?: string | undefined;
  hint?: string;
  /** If the code is not one of an authenticator app. */
  missing?: MessageKey;
  autoFocus?: boolean;
  disabled?: boolean;
  /** The field is not sent: the token that came for it is sent instead. */
  unnamed?: boolean;
}

export function CodeField({ alertId, hint, missing, autoFocus = false, disabled = false, unnamed = false }: Props) {
  const { t } = useTranslation();
  const sending = useBusy() !== null;
  return (
    <Field
      name={FIELDS.code}
      look="code"
      label={t('factor.code')}
      hint={hint}
      alertId={alertId}
      requiredMessage={t(missing ?? 'factor.code_missing')}
    >
      {({ name, ...wiring }) => (
        <div className="box">
          <input
            {...wiring}
            name={unnamed ? undefined : name}
            type="text"
            autoComplete="one-time-code"
            inputMode="numeric"
            pattern=" *([0-9] *){6}"
            spellCheck={false}
            autoFocus={autoFocus}
            readOnly={sending}
            disabled={disabled}
          />
        </div>
      )}
    </Field>
  );
}

export function digitsOf(code: string | undefined): string {
  return (code ?? '').replaceAll(/\s/g, '');
}
