/** Copies a text to the clipboard and reports the result for a short time. */
import { useEffect, useState } from 'react';

type CopyResult = 'not yet' | 'copied' | 'refused';

/** How long the button confirms the copy before it shows its label again. */
const CONFIRMATION_MS = 4_000;

export function useCopy(text: string): { copied: CopyResult; copy: () => void } {
  const [copied, setCopied] = useState<CopyResult>('not yet');
  useEffect(() => {
    if (copied !== 'copied') return;
    const timer = setTimeout(() => setCopied('not yet'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    writeToClipboard(text).then(
      () => setCopied('copied'),
      () => setCopied('refused'),
    );
  };
  return { copied, copy };
}

/** Rejects, and does not throw, if `navigator.clipboard` is missing because the context is not secure. */
async function writeToClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
