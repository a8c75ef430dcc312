import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { Passkeys } from './passkeys.js';
import { SignInChallenges } from './sign-in-challenge.js';

const OFFERED = [PasskeySignIn, Passkeys, SignInChallenges];

@Module({ imports: [AccountsModule], providers: OFFERED, exports: OFFERED })
export class PasskeysModule {}
