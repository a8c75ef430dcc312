/** Copies a text to the clipboard and reports the result. */
import { useState } from 'react';

type Copied = 'not yet' | 'copied' | 'refused';

export function useCopy(text: string): { copied: Copied; copy: () => void } {
  const [copied, setCopied] = useState<Copied>('not yet');
  const copy = () => {
    write(text).then(
      () => setCopied('copied'),
      () => setCopied('refused'),
    );
  };
  return { copied, copy };
}

/** Rejects, too, where there is no clipboard because the context is not secure. */
async function write(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
