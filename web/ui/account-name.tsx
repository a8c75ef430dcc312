/**
 * A hidden field with the username, so that password managers save the password for the right account. It has no name, so it is not
 * submitted. People see the account chip instead.
 */
export function AccountName({ username }: { username: string | undefined }) {
  if (!username) return null;
  return <input className="sr" type="text" autoComplete="username" value={username} readOnly tabIndex={-1} aria-hidden="true" />;
}
