import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { ConsentAnswers } from './consent-answers.js';
import { ConsentController } from './consent.controller.js';
import { ConsentFlow } from './consent.flow.js';

@Module({ imports: [AccountsModule, SignInModule], controllers: [ConsentController], providers: [ConsentAnswers, ConsentFlow] })
export class ConsentModule {}
