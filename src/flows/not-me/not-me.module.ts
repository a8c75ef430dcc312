import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { HydraModule } from '../../hydra/hydra.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { NotMeController } from './not-me.controller.js';
import { NotMeFlow } from './not-me.flow.js';

@Module({ imports: [AccountsModule, HydraModule, SignInModule], controllers: [NotMeController], providers: [NotMeFlow] })
export class NotMeModule {}
