import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { NotMeController } from './not-me.controller.js';
import { NotMeFlow } from './not-me.flow.js';

@Module({ imports: [SignInModule], controllers: [NotMeController], providers: [NotMeFlow] })
export class NotMeModule {}
