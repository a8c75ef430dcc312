import { Module } from '@nestjs/common';
import { RegistrationService } from './registration/registration-service.js';

/** The registration service. `start-foyer.ts` creates the adapter of the identity providers, before the application. */
@Module({ providers: [RegistrationService], exports: [RegistrationService] })
export class ProvidersModule {}
