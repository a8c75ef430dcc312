import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-in/sign-in.module.js';
import { NotMeController } from './not-me.controller.js';
import { NotMeFlow } from './not-me.flow.js';

@Module({ imports: [SignOnModule], controllers: [NotMeController], providers: [NotMeFlow] })
export class NotMeModule {}
