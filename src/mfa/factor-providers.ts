/** The factors, for the module of the second step and the account area. */
import type { Provider } from '@nestjs/common';
import { Fido2Factor } from './fido2.factor.js';
import { RecoveryFactor } from './recovery.factor.js';
import { TotpFactor } from './totp.factor.js';

export const factorProviders: Provider[] = [TotpFactor, Fido2Factor, RecoveryFactor];
