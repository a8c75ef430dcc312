/** One labelled field: label above, error below, wired for readers. */
import type { InputHTMLAttributes, ReactNode } from 'react';
import { DangerIcon } from './icons.js';

interface FieldProps {
  /** Name of the form field, and the id that the label points at. */
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** Id of an alert that speaks of this field. */
  alertId?: string | undefined;
  /** Makes the field a required one: what the browser says, in the page's language, when it is left out. */
  requiredMessage?: string;
  /** What the browser says of a value that does not fit the field's pattern. */
  patternMessage?: string;
  /** Stands between the field and what is said of it. */
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

/** The browser's own words follow its language, not the page's. What was said is taken back as soon as somebody types. */
function required(missing: string, mismatch?: string): Pick<FieldWiring, 'required' | 'onInvalid' | 'onInput'> {
  return {
    required: true,
    onInvalid: ({ currentTarget: input }) => {
      // A value that came without typing would otherwise be held back by what was said before.
      input.setCustomValidity('');
      if (input.validity.valueMissing) input.setCustomValidity(missing);
      else if (mismatch && input.validity.patternMismatch) input.setCustomValidity(mismatch);
    },
    onInput: ({ currentTarget: input }) => input.setCustomValidity(''),
  };
}
