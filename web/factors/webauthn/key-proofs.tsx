import type { ConfirmProps, VerifyProps } from '../factor.js';
import { ConfirmByCredential } from './confirm.js';
import { SECURITY_KEY } from './key-step.js';
import { VerifyCredential } from './verify.js';

export const VerifyKey = (props: VerifyProps) => <VerifyCredential {...props} kind={SECURITY_KEY} />;
export const ConfirmByKey = (props: ConfirmProps) => <ConfirmByCredential {...props} kind={SECURITY_KEY} />;
