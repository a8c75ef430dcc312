import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-on/sign-on.module.js';
import { ConsentController } from './consent.controller.js';
import { ConsentFlow } from './consent.flow.js';

@Module({ imports: [SignOnModule], controllers: [ConsentController], providers: [ConsentFlow] })
export class ConsentModule {}
