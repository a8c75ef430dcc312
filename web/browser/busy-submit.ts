/**
 * Tracks whether a form is being sent. A second press of the button does nothing until `send` resolves to `stays` or the page is restored
 * from the history. If `send` is given, the form is not posted, and its fields are passed to `send`.
 */
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';

/** The pending submission of a form. */
export interface Submission {
  /** Id of the button that was pressed; null if the browser does not report it. */
  submitterId: string | null;
}

/** Sends a form's fields by script. `stays`: the person may send the form again. `leaves`: another page or view is about to open. */
export type Send = (fields: Readonly<Record<string, string>>) => Promise<'stays' | 'leaves'>;

export function useBusySubmit(send?: Send): {
  submission: Submission | null;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
} {
  const [submission, setSubmission] = useState<Submission | null>(null);
  // A ref in addition to the state, because a second press can happen before React renders.
  const submissionRef = useRef<{ submitter: HTMLElement | null } | null>(null);

  const release = () => {
    submissionRef.current?.submitter?.style.removeProperty('min-inline-size');
    submissionRef.current = null;
    setSubmission(null);
  };

  useEffect(() => {
    const onRestore = (event: PageTransitionEvent) => {
      if (event.persisted) release();
    };
    window.addEventListener('pageshow', onRestore);
    return () => window.removeEventListener('pageshow', onRestore);
  }, []);

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    if (submissionRef.current) {
      event.preventDefault();
      return;
    }
    const { submitter } = event.nativeEvent as SubmitEvent;
    // Keeps the width, because the busy label may be shorter. The content policy does not restrict styles that a script sets on an element.
    submitter?.style.setProperty('min-inline-size', `${submitter.offsetWidth}px`);
    submissionRef.current = { submitter };
    setSubmission({ submitterId: submitter?.id ?? null });
    if (!send) return;
    event.preventDefault();
    void send(toFields(event.currentTarget)).then((outcome) => {
      if (outcome === 'stays') release();
    });
  };
  return { submission, onSubmit };
}

function toFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}
