import { Module } from '@nestjs/common';
import { RegistrationService } from './registration/registration-service.js';

/** The adapter to the identity providers is made before the application (`start-foyer.ts`). */
@Module({ providers: [RegistrationService], exports: [RegistrationService] })
export class ProvidersModule {}
