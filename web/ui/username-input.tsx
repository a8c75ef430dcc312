/** A username field: without spelling correction, known to password managers. */
import type { InputHTMLAttributes } from 'react';

export function UsernameInput(props: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...props} type="text" autoComplete="username" autoCapitalize="none" spellCheck={false} />;
}
