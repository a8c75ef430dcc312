import { Module } from '@nestjs/common';
import { FirstFactor } from './first-factor.js';
import { FlowEdge } from './flow-pages.js';
import { LoginAcceptance } from './login-acceptance.js';
import { RememberedLogin } from './remembered-login.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SignOn } from './sign-in.js';

/** Shared by every flow that ends in a login. Ports come from the global module of `app.module.ts`. */
@Module({
  providers: [FirstFactor, FlowEdge, LoginAcceptance, RememberedLogin, RememberedSessions, SignOn],
  exports: [FirstFactor, FlowEdge, RememberedLogin, SignOn],
})
export class SignOnModule {}
