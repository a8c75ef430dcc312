/** A form field with label, hint and error, connected for screen readers. */
import type { InputHTMLAttributes, ReactNode } from 'react';
import { DangerIcon } from './icons.js';

interface FieldProps {
  /** Name of the form field, and its id. */
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** Id of an alert about this field. */
  alertId?: string | undefined;
  /** Makes the field required: the browser's message, in the language of the page, if it is empty. */
  requiredMessage?: string;
  /** The browser's message for a value that does not match the pattern. */
  patternMessage?: string;
  /** Shown between the field and its hint. */
  below?: ReactNode;
  /** `code`: six cells. */
  look?: string;
  children: (wiring: FieldWiring) => ReactNode;
}

export type FieldWiring = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'id' | 'name' | 'required' | 'onInvalid' | 'onInput' | 'aria-invalid' | 'aria-describedby'
>;

export function Field(props: FieldProps) {
  const { name, label, error, hint, alertId, requiredMessage, patternMessage, below, look, children } = props;
  const errorId = `${name}-error`;
  const hintId = `${name}-hint`;
  const describedBy = [hint && hintId, error && errorId, alertId].filter(Boolean).join(' ');
  const wiring: FieldWiring = { id: name, name, ...(requiredMessage && required(requiredMessage, patternMessage)) };
  if (error || alertId) wiring['aria-invalid'] = true;
  if (describedBy) wiring['aria-describedby'] = describedBy;
  return (
    <div className={look ? `field ${look}` : 'field'}>
      <label htmlFor={name}>{label}</label>
      {children(wiring)}
      {below}
      {hint && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={errorId}>
          <DangerIcon />
          {error}
        </p>
      )}
    </div>
  );
}

/** The browser's own messages are in its language, not in the page's. The message is removed on input. */
function required(missing: string, mismatch?: string): Pick<FieldWiring, 'required' | 'onInvalid' | 'onInput'> {
  return {
    required: true,
    onInvalid: ({ currentTarget: input }) => {
      // Otherwise an earlier message would block a value that was filled in without an input event.
      input.setCustomValidity('');
      if (input.validity.valueMissing) input.setCustomValidity(missing);
      else if (mismatch && input.validity.patternMismatch) input.setCustomValidity(mismatch);
    },
    onInput: ({ currentTarget: input }) => input.setCustomValidity(''),
  };
}
