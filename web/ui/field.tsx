/** One labelled field: label above, error below, wired for readers. */
import type { InputHTMLAttributes, ReactNode } from 'react';
import { DangerIcon } from './icons.js';

interface FieldProps {
  /** Name of the form field, and the id that the label points at. */
  name: string;
  label: string;
  error?: string | undefined;
  /** Makes the field a required one: what the browser says, in the page's language, when it is left out. */
  requiredMessage?: string;
  children: (wiring: FieldWiring) => ReactNode;
}

export type FieldWiring = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'id' | 'name' | 'required' | 'onInvalid' | 'onInput' | 'aria-invalid' | 'aria-describedby'
>;

export function Field({ name, label, error, requiredMessage, children }: FieldProps) {
  const errorId = `${name}-error`;
  const wiring: FieldWiring = { id: name, name, ...(requiredMessage && required(requiredMessage)) };
  if (error) Object.assign(wiring, { 'aria-invalid': true, 'aria-describedby': errorId });
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      {children(wiring)}
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
function required(message: string): Pick<FieldWiring, 'required' | 'onInvalid' | 'onInput'> {
  return {
    required: true,
    onInvalid: ({ currentTarget: input }) => {
      // A value that came without typing would otherwise be held back by what was said before.
      input.setCustomValidity('');
      if (input.validity.valueMissing) input.setCustomValidity(message);
    },
    onInput: ({ currentTarget: input }) => input.setCustomValidity(''),
  };
}
