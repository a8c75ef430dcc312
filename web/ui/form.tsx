/**
 * A plain form that works without script. With script, the pressed button shows progress, and a second press does nothing until `send`
 * resolves to `stays` or the page is restored from the history.
 */
import { createContext, use, useId, type ReactNode, type RefObject } from 'react';
import { useBusySubmit, type Busy, type Send } from '../browser/busy-submit.js';

const BusyContext = createContext<Busy | null>(null);

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
  const { busy, onSubmit } = useBusySubmit(send);
  return (
    <form id={id} ref={form} className={className} method="post" action={action} onSubmit={onSubmit}>
      {Object.entries(hidden).map(
        ([name, value]) => value !== '' && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <BusyContext value={busy}>{children}</BusyContext>
    </form>
  );
}

/** @returns the state of the enclosing form; null if it is not being sent */
export function useBusy(): Busy | null {
  return use(BusyContext);
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
}

export function SubmitButton({ label, name, busyLabel, primary = false, formAction, className, disabled = false }: SubmitProps) {
  const id = useId();
  const busy = useBusy();
  const isWorking = busy?.submitterId === id;
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
      aria-disabled={(busy !== null && !isWorking) || undefined}
    >
      {isWorking ? busyLabel : label}
      {isWorking && <span className="spinner" />}
    </button>
  );
}
