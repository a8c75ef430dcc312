/** Makes an account, with a password or without one. Without, its owner cannot sign in by password yet. */
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../accounts/accounts.js';
import type { Account, NewAccount } from '../accounts/accounts.js';
import { HasherBusy } from '../accounts/password-hasher.js';
import type { PasswordFault } from '../accounts/password-policy.js';
import { SetPassword } from '../accounts/set-password.js';
import { checkUsername } from '../accounts/username.js';
import type { Caller } from './caller.js';
import { OperatorFault } from './operator-fault.js';

/** Together longer than the queue of hashes needs to empty; sign-ins come first. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1600];

const WORDS: Readonly<Record<PasswordFault, string>> = {
  empty: 'it is empty',
  'too-short': 'it is too short',
  'too-long': 'it is too long',
  characters: 'it has characters that nobody can type',
  'lower-missing': 'it has no small letter',
  'upper-missing': 'it has no capital letter',
  'digit-missing': 'it has no digit',
  common: 'it is among the first that are guessed',
  username: 'it is the user name',
  'app-name': 'it is the name of this product',
};

@Injectable()
export class CreateAccount {
  constructor(
    private readonly accounts: Accounts,
    private readonly setPassword: SetPassword,
  ) {}

  /** @throws OperatorFault, AccountFieldInvalid, UsernameTaken */
  async create(wanted: NewAccount, password: string | undefined, by: Caller): Promise<Account> {
    if (password === undefined) return this.accounts.create(wanted, by);
    // Of the name as it will be kept, so that the password cannot be refused once the account is there.
    requireNone(this.setPassword.faultsOf(password, checkUsername(wanted.username)));
    const account = await this.accounts.create(wanted, by);
    requireNone(await patiently(() => this.setPassword.setPassword(account.id, password, by)));
    return account;
  }
}

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error;
    }
    await pause(pauseMs);
  }
  const message = 'The account was made, but without its password: too many sign-ins are under way.';
  throw new OperatorFault(503, 'busy', message, { field: 'password' });
}

function requireNone(faults: readonly PasswordFault[]): void {
  if (faults.length === 0) return;
  const message = `The password is refused: ${faults.map((fault) => WORDS[fault]).join(', ')}.`;
  throw new OperatorFault(422, 'password_refused', message, {
    field: 'password',
    faults: faults.map((fault) => fault.replaceAll('-', '_')),
  });
}
