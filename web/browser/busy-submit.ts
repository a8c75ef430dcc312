/** Watches a form being sent: guards against a second press, and lets go when the page comes back from the history. */
import { useEffect, useRef, useState } from 'react';
import type { SyntheticEvent } from 'react';

export interface Busy {
  /** Id of the button that was pressed; null when the browser does not say. */
  submitterId: string | null;
}

export function useBusySubmit(): { busy: Busy | null; onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void } {
  const [busy, setBusy] = useState<Busy | null>(null);
  // Beside the state, because two presses can come before React has rendered once.
  const sent = useRef<{ submitter: HTMLElement | null } | null>(null);

  useEffect(() => {
    const release = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      sent.current?.submitter?.style.removeProperty('min-inline-size');
      sent.current = null;
      setBusy(null);
    };
    window.addEventListener('pageshow', release);
    return () => window.removeEventListener('pageshow', release);
  }, []);

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>) => {
    if (sent.current) {
      event.preventDefault();
      return;
    }
    const { submitter } = event.nativeEvent as SubmitEvent;
    // The busy label may be shorter than the first. Through the object model, which the content policy does not concern.
    submitter?.style.setProperty('min-inline-size', `${submitter.offsetWidth}px`);
    sent.current = { submitter };
    setBusy({ submitterId: submitter?.id ?? null });
  };
  return { busy, onSubmit };
}
