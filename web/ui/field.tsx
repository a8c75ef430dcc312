/**
 * A form field with label, hint and error, connected for screen readers. With script, a missing value is reported
 * below the field in the language of the page. Without script, the browser reports it.
 */
import { useState, type InputHTMLAttributes, type ReactNode, type SyntheticEvent } from 'react';
import { DangerIcon } from './icons.js';

interface FieldProps {
  /** Name of the form field, and its id. */
  name: string;
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** True if the hint is only correct with script. */
  hintNeedsScript?: boolean;
  /** Id of an alert about this field. */
  alertId?: string | undefined;
  /** Makes the field required. The message is shown if the field is empty or invalid. */
  requiredMessage?: string;
  /** Shown between the field and its hint. */
  details?: ReactNode;
  /** Class of the field; `code` shows six cells. */
  className?: string;
  children: (wiring: FieldWiring) => ReactNode;
}

export interface FieldWiring extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'id' | 'name' | 'required' | 'aria-invalid' | 'aria-describedby'
> {
  onInvalid?: (event: SyntheticEvent<HTMLInputElement | HTMLSelectElement>) => void;
  onInput?: () => void;
}

export function Field(props: FieldProps) {
  const { name, label, hint, alertId, requiredMessage, details, className, children } = props;
  const [missingMessage, setMissingMessage] = useState<string | null>(null);
  const error = missingMessage ?? props.error;
  const errorId = `${name}-error`;
  const hintId = `${name}-hint`;
  const describedBy = [hint && hintId, error && errorId, alertId].filter(Boolean).join(' ');
  const wiring: FieldWiring = { id: name, name, ...(requiredMessage && requireValue(requiredMessage, setMissingMessage)) };
  if (error || alertId) wiring['aria-invalid'] = true;
  if (describedBy) wiring['aria-describedby'] = describedBy;
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <label htmlFor={name}>{label}</label>
      {children(wiring)}
      {details}
      {hint && (
        <p className={props.hintNeedsScript ? 'hint needs-script' : 'hint'} id={hintId}>
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

/** Replaces the browser's message, which is in the browser's language and covers the page. The first invalid field gets the focus. */
function requireValue(
  message: string,
  report: (message: string | null) => void,
): Pick<FieldWiring, 'required' | 'onInvalid' | 'onInput'> {
  return {
    required: true,
    onInvalid: (event) => {
      event.preventDefault();
      report(message);
      const { currentTarget: input } = event;
      const fields = [...(input.form?.elements ?? [])].filter(
        (element) => element instanceof HTMLInputElement || element instanceof HTMLSelectElement,
      );
      if (fields.find(({ validity }) => !validity.valid) === input) input.focus();
    },
    onInput: () => report(null),
  };
}
