/** Copies a text to the clipboard and reports the result: a success for a short time, a failure until the next attempt. */
import { useEffect, useState } from 'react';

type CopyResult = 'not yet' | 'copied' | 'refused';

/** How long the button confirms the copy before it shows its label again. */
const CONFIRMATION_MS = 4_000;

export function useCopy(text: string): { result: CopyResult; copy: () => void } {
  const [result, setResult] = useState<CopyResult>('not yet');
  useEffect(() => {
    if (result !== 'copied') return;
    const timer = setTimeout(() => setResult('not yet'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = () => {
    writeToClipboard(text).then(
      () => setResult('copied'),
      () => setResult('refused'),
    );
  };
  return { result, copy };
}

/** Rejects, and does not throw, if `navigator.clipboard` is missing because the context is not secure. */
async function writeToClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
