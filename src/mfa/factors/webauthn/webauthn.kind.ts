import type { FactorKind } from '../../factor.port.js';

export const WEBAUTHN = {
  folder: 'webauthn',
  name: 'fido2',
  label: (count: number) => `${count} security key${count === 1 ? '' : 's'}`,
  amr: 'hwk',
  isSingle: false,
  setUpBy: 'calls',
  provenBy: 'calls',
  proofBegins: true,
  counters: ['fido2'],
  codes: { refused: 'fido2 failed', missing: 'fido2 not found', registered: 'fido2 already registered' },
  notices: { added: 'security-key-added', removed: 'security-key-removed' },
} as const satisfies FactorKind;
