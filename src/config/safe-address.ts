/** Addresses that codes, secrets and identities travel to: https, but for a stand-in on this machine. */

/** Whether a provider may be there. */
export function isSafeAddress(value: string): boolean {
  if (/[\s\p{Cc}#?]/u.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param host as `URL` gives it: numbers in brackets where they hold colons */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '[::1]' || host === '::1';
}
