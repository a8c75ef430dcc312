/** A labelled form field with its hint and its error. */
import { createContext, useContext, useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The name of the field whose value the server has refused; null if it has refused none. */
export const RefusedField = createContext<string | null>(null);

interface FieldProps {
  label: ReactNode;
  /** As in errors of the operator API, so that a value that the server refuses is marked. */
  name?: string | undefined;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  /** @param wiring the attributes that connect the control with label, hint and error */
  children: (wiring: { id: string; name?: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

export function Field({ label, name, hint, error: ownError, className = '', children }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const refusedName = useContext(RefusedField);
  const isRefused = refusedName !== null && refusedName === name;
  const error = ownError ?? (isRefused ? t('dialog.field_refused') : undefined);
  const descriptionIds = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(name === undefined ? {} : { name }),
        ...(descriptionIds === '' ? {} : { 'aria-describedby': descriptionIds }),
        ...(error === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
