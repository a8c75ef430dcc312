/** A user name as it is typed: nothing corrects it, and password managers know it. */
import type { InputHTMLAttributes } from 'react';

export function UsernameInput(props: InputHTMLAttributes<HTMLInputElement>) {
  return <input {...props} type="text" autoComplete="username" autoCapitalize="none" spellCheck={false} />;
}
