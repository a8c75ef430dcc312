/** The factors, for the module of the second step and the account area. */
import type { Provider } from '@nestjs/common';
import { WebAuthnFactor } from './factors/webauthn/webauthn.factor.js';
import { RecoveryCodesFactor } from './factors/recovery-codes/recovery-codes.factor.js';
import { TotpFactor } from './factors/totp/totp.factor.js';

export const factorProviders: Provider[] = [TotpFactor, WebAuthnFactor, RecoveryCodesFactor];
