import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { FactorResetController } from './factor-reset.controller.js';
import { FactorResetFlow } from './factor-reset.flow.js';

@Module({ imports: [SignInModule], controllers: [FactorResetController], providers: [FactorResetFlow] })
export class FactorResetModule {}
