/** A plain form that works without script. With script, the pressed button shows progress. */
import { createContext, use, useId, type ReactNode, type RefObject } from 'react';
import { useBusySubmit, type Send, type Submission } from '../browser/busy-submit.js';

const SubmissionContext = createContext<Submission | null>(null);

interface FormProps {
  action: string;
  className?: string;
  /** Hidden fields; empty values are left out. */
  hidden: Readonly<Record<string, string>>;
  /** Sends the form by script. Without script the form is posted. */
  send?: Send | undefined;
  id?: string;
  form?: RefObject<HTMLFormElement | null>;
  children: ReactNode;
}

export function Form({ action, className, hidden, send, id, form, children }: FormProps) {
  const { submission, onSubmit } = useBusySubmit(send);
  return (
    <form id={id} ref={form} className={className} method="post" action={action} onSubmit={onSubmit}>
      {Object.entries(hidden).map(
        ([name, value]) => value !== '' && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <SubmissionContext value={submission}>{children}</SubmissionContext>
    </form>
  );
}

/** @returns the submission of the enclosing form; null if the form is not being sent */
export function useSubmission(): Submission | null {
  return use(SubmissionContext);
}

interface SubmitProps {
  label: string;
  /** Accessible name, if the label alone is ambiguous. */
  name?: string;
  busyLabel: string;
  primary?: boolean;
  formAction?: string;
  /** Further classes: `danger`, `quiet`, `compact`, `needs-script`, `without-script`. */
  className?: string;
  disabled?: boolean;
  /** Whether the button shows the progress of every submission, because the Enter key presses a hidden button in its place. */
  isOnlyVisible?: boolean;
}

export function SubmitButton(props: SubmitProps) {
  const { label, name, busyLabel, primary = false, formAction, className, disabled = false, isOnlyVisible = false } = props;
  const id = useId();
  const submission = useSubmission();
  const isWorking = submission !== null && (isOnlyVisible || submission.submitterId === id);
  return (
    <button
      id={id}
      className={['btn', primary ? 'primary' : '', className].filter(Boolean).join(' ')}
      type="submit"
      aria-label={isWorking ? undefined : name}
      disabled={disabled}
      formAction={formAction}
      formNoValidate={formAction !== undefined}
      aria-busy={isWorking || undefined}
      aria-disabled={(submission !== null && !isWorking) || undefined}
    >
      {isWorking ? busyLabel : label}
      {isWorking && <span className="spinner" />}
    </button>
  );
}
