/** Which details a person still has to prove or give. Accounts of a source are left out, because the source owns their details. */
import type { Config, SignUpField } from '../../config/config.js';
import type { Account } from './account.js';

/** Whether a requirement can be postponed, and until when. */
export interface Deadline {
  /** The time from which the requirement is due; absent if it is already due. */
  laterUntil?: Date;
}

/** @returns null if the address is proven, or need not be */
export function findRequiredEmailProof(
  { emailVerified, hasSource }: Pick<Account, 'emailVerified' | 'hasSource'>,
  { emailProof, emailProofFrom }: Config['tasks'],
  now: Date,
): Deadline | null {
  const isRequired = emailProof === 'required' && !emailVerified && hasSource !== true;
  return isRequired ? toDeadline(emailProofFrom, now) : null;
}

/** @returns the fields for the required attributes that the account lacks */
export function findMissingFields(
  { attributes, hasSource }: Pick<Account, 'attributes' | 'hasSource'>,
  { requiredFields }: Config['tasks'],
): SignUpField[] {
  return hasSource === true ? [] : requiredFields.filter(({ name }) => !Object.hasOwn(attributes, name));
}

/** @param dueFrom absent if the requirement is due at once */
export function toDeadline(dueFrom: Date | undefined, now: Date): Deadline {
  return dueFrom !== undefined && now < dueFrom ? { laterUntil: dueFrom } : {};
}
