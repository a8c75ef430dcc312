/**
 * The username for password managers, so that a new or checked password is saved for the right account. It has no name, so it
 * is not sent; people see the account chip.
 */
export function AccountName({ username }: { username: string | undefined }) {
  if (!username) return null;
  return <input className="sr" type="text" autoComplete="username" value={username} readOnly tabIndex={-1} aria-hidden="true" />;
}
