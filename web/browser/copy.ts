/** Copies a text to the clipboard and says how it went, until the next try. */
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

/** Without a secure context there is no clipboard; that is a refusal too. */
async function write(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
