import type { ConfirmProps, VerifyProps } from '../factor.js';
import { ConfirmByCredential } from '../webauthn/confirm.js';
import { VerifyCredential } from '../webauthn/verify.js';
import { PASSKEY_CREDENTIAL } from './passkey-prompt.js';

export const VerifyPasskey = (props: VerifyProps) => <VerifyCredential {...props} kind={PASSKEY_CREDENTIAL} />;
export const ConfirmByPasskey = (props: ConfirmProps) => <ConfirmByCredential {...props} kind={PASSKEY_CREDENTIAL} />;
