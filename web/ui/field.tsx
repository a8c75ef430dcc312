/** One labelled field: label above, error below, wired for readers. */
import type { InputHTMLAttributes, ReactNode } from 'react';
import { DangerIcon } from './icons.js';

interface FieldProps {
  /** Name of the form field, and the id that the label points at. */
  name: string;
  label: string;
  error?: string | undefined;
  children: (wiring: FieldWiring) => ReactNode;
}

export type FieldWiring = Pick<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name' | 'aria-invalid' | 'aria-describedby'>;

export function Field({ name, label, error, children }: FieldProps) {
  const errorId = `${name}-error`;
  const wiring: FieldWiring = { id: name, name };
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
