import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { LogoutController } from './logout.controller.js';
import { LogoutFlow } from './logout.flow.js';
import { SignOut } from './sign-out.js';

@Module({ imports: [AccountsModule, SignInModule], controllers: [LogoutController], providers: [LogoutFlow, SignOut] })
export class LogoutModule {}
