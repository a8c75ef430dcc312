import { Module } from '@nestjs/common';
import { FlowEdge } from './flow-edge.js';
import { RememberedLogin } from './remembered-login.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SignOn } from './sign-on.js';

/** Shared by every flow that ends in a login. Ports come from the global module of `app.module.ts`. */
@Module({ providers: [FlowEdge, RememberedLogin, RememberedSessions, SignOn], exports: [FlowEdge, RememberedLogin, SignOn] })
export class SignOnModule {}
