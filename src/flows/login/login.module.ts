import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-on/sign-on.module.js';
import { LoginController } from './login.controller.js';
import { LoginFlow } from './login.flow.js';

@Module({ imports: [SignOnModule], controllers: [LoginController], providers: [LoginFlow] })
export class LoginModule {}
