import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PasskeySignIn } from './passkey-sign-in.js';
import { Passkeys } from './passkeys.js';
import { SignInChallenges } from './sign-in-challenge.js';
import { SignUpPasskeys } from './sign-up-passkeys.js';

const PROVIDERS = [PasskeySignIn, Passkeys, SignInChallenges, SignUpPasskeys];

@Module({ imports: [AccountsModule], providers: PROVIDERS, exports: PROVIDERS })
export class PasskeysModule {}
