/** Reads the current values of a form's fields, including text that was typed before hydration. On the server there are no values. */
import { useMemo, useSyncExternalStore } from 'react';

const NO_FIELDS = '{}';

export function useTypedFields(formId: string): Readonly<Record<string, string>> {
  const json = useSyncExternalStore(
    watchTyping,
    () => read(formId),
    () => NO_FIELDS,
  );
  return useMemo(() => JSON.parse(json) as Record<string, string>, [json]);
}

function watchTyping(onChange: () => void): () => void {
  const events = ['input', 'change', 'reset'];
  for (const event of events) document.addEventListener(event, onChange);
  return () => {
    for (const event of events) document.removeEventListener(event, onChange);
  };
}

function read(formId: string): string {
  const form = document.getElementById(formId);
  if (!(form instanceof HTMLFormElement)) return NO_FIELDS;
  return JSON.stringify(Object.fromEntries([...new FormData(form)].filter(([, value]) => typeof value === 'string')));
}
