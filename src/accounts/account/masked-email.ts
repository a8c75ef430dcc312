/** Masks an e-mail address so that its owner recognises it and others do not: `m•••u@example.org`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const letters = Array.from(email.slice(0, at));
  const last = letters.length > 3 ? (letters.at(-1) ?? '') : '';
  return `${letters[0] ?? ''}•••${last}${email.slice(at)}`;
}
