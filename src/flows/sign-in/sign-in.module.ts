import { Module } from '@nestjs/common';
import { FirstFactor } from './first-factor.js';
import { FlowPages } from './flow-pages.js';
import { LoginAcceptance } from './login-acceptance.js';
import { RememberedLogin } from './remembered-login.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SignIn } from './sign-in.js';

/** Shared by every flow that ends in a login. Ports come from the global module of `app.module.ts`. */
@Module({
  providers: [FirstFactor, FlowPages, LoginAcceptance, RememberedLogin, RememberedSessions, SignIn],
  exports: [FirstFactor, FlowPages, RememberedLogin, SignIn],
})
export class SignInModule {}
