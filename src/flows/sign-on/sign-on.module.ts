import { Module } from '@nestjs/common';
import { FirstFactor } from './first-factor.js';
import { FlowEdge } from './flow-edge.js';
import { RememberedLogin } from './remembered-login.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SignOn } from './sign-on.js';
import { UpstreamEnd } from './upstream-end.js';

/** Shared by every flow that ends in a login. Ports come from the global module of `app.module.ts`. */
@Module({
  providers: [FirstFactor, FlowEdge, RememberedLogin, RememberedSessions, SignOn, UpstreamEnd],
  exports: [FirstFactor, FlowEdge, RememberedLogin, SignOn, UpstreamEnd],
})
export class SignOnModule {}
