/** A username field without spelling correction, which password managers recognise. A username that the tab has stored is filled in. */
import type { InputHTMLAttributes } from 'react';
import { fillInKeptUsername } from '../browser/kept-username.js';

export function UsernameInput(props: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <input autoComplete="username" {...props} ref={fillInKeptUsername} type="text" autoCapitalize="none" spellCheck={false} />
  );
}
