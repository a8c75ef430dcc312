/**
 * The state of a form while it is sent: a second press does nothing, until the page is restored from the history. With
 * `send`, the form is not posted; its fields are passed on instead.
 */
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';

export interface Busy {
  /** Id of the button that was pressed; null when the browser does not say. */
  submitterId: string | null;
}

/** Sends a form's fields by script. `stays`: the person may send it again; `leaves`: the page goes on elsewhere. */
export type Send = (fields: Readonly<Record<string, string>>) => Promise<'stays' | 'leaves'>;

export function useBusySubmit(send?: Send): {
  busy: Busy | null;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void;
} {
  const [busy, setBusy] = useState<Busy | null>(null);
  // Beside the state, because two presses can come before React has rendered once.
  const sent = useRef<{ submitter: HTMLElement | null } | null>(null);

  const release = () => {
    sent.current?.submitter?.style.removeProperty('min-inline-size');
    sent.current = null;
    setBusy(null);
  };

  useEffect(() => {
    const restored = (event: PageTransitionEvent) => {
      if (event.persisted) release();
    };
    window.addEventListener('pageshow', restored);
    return () => window.removeEventListener('pageshow', restored);
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
    if (!send) return;
    event.preventDefault();
    void send(toFields(event.currentTarget)).then((end) => {
      if (end === 'stays') release();
    });
  };
  return { busy, onSubmit };
}

function toFields(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}
