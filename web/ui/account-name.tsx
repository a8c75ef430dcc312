/**
 * A hidden field with the name to sign in with, so that password managers save the password for the right account. The field has no
 * `name`, so it is not submitted.
 */
export function AccountName({ username }: { username: string | undefined }) {
  if (!username) return null;
  return <input className="sr" type="text" autoComplete="username" value={username} readOnly tabIndex={-1} aria-hidden="true" />;
}
