import { Module } from '@nestjs/common';
import { SignOnModule } from '../sign-in/sign-in.module.js';
import { FactorResetController } from './factor-reset.controller.js';
import { FactorResetFlow } from './factor-reset.flow.js';

@Module({ imports: [SignOnModule], controllers: [FactorResetController], providers: [FactorResetFlow] })
export class FactorResetModule {}
