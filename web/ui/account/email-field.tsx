/** The field for an e-mail address to which a code is mailed. */
import { FIELDS } from '../../../src/contract/form-fields.js';
import { Field } from '../field.js';
import { findAlertId, type Fault } from './fault.js';

interface Props {
  label: string;
  hint?: string;
  /** Message for an empty or malformed address. */
  requiredMessage: string;
  fault: Fault | null;
  value: string;
  autoFocus: boolean;
}

export function EmailField({ fault, value, autoFocus, ...words }: Props) {
  return (
    <Field
      name={FIELDS.email}
      {...words}
      alertId={findAlertId(fault, ['email is empty', 'email is invalid', 'email not available'])}
    >
      {(wiring) => (
        <input
          {...wiring}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          autoFocus={autoFocus}
          defaultValue={value}
        />
      )}
    </Field>
  );
}
