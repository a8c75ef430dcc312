import type { ProofKind } from '../factor.port.js';

export const RECOVERY = {
  folder: 'recovery-codes',
  name: 'recovery',
  label: (count: number) => `${count} recovery code${count === 1 ? '' : 's'}`,
  amr: 'otp',
  provenBy: 'forms',
  proofBegins: false,
  counters: ['recovery'],
  codes: { refused: 'invalid verification code', missing: 'invalid verification code', registered: 'factor already registered' },
} as const satisfies ProofKind;
