/** Describes recovery codes to the pages of the second step. The account area has its own page for them. */
import { CodesIcon } from '../../ui/account/icons.js';
import type { BrowserFactor } from '../factor.js';
import { VerifyRecoveryCode } from './verify.js';

export const RECOVERY_CODES: BrowserFactor = {
  name: 'recovery',
  Icon: CodesIcon,
  verify: { heading: 'mfa.heading_recovery', use: 'mfa.use_recovery', View: VerifyRecoveryCode },
};
