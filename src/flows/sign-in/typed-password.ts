/** Finds the fault of a form in which a new password is typed twice. */
export function findPasswordFault(
  password: string,
  repetition: string,
): 'empty-password' | 'empty-password-repeat' | 'passwords-not-equal' | null {
  if (password === '') return 'empty-password';
  if (repetition === '') return 'empty-password-repeat';
  // The two fields may use different Unicode compositions of the same text (VAL-1: NFC).
  return password.normalize('NFC') === repetition.normalize('NFC') ? null : 'passwords-not-equal';
}
