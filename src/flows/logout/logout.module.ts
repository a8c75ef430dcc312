import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-on/sign-on.module.js';
import { LogoutController } from './logout.controller.js';
import { LogoutFlow } from './logout.flow.js';
import { SignOut } from './sign-out.js';

@Module({ imports: [SignOnModule], controllers: [LogoutController], providers: [LogoutFlow, SignOut] })
export class LogoutModule {}
