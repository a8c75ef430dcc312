import type { FactorKind } from '../../factor.port.js';

export const PASSKEY = {
  folder: 'passkey',
  name: 'passkey',
  label: (count: number) => `${count} passkey${count === 1 ? '' : 's'}`,
  amr: 'hwk',
  isSingle: false,
  setUpBy: 'calls',
  provenBy: 'calls',
  proofBegins: true,
  counters: ['passkey'],
  codes: { refused: 'passkey failed', missing: 'factor not found', registered: 'factor already registered' },
  notices: { added: 'passkey-added', removed: 'passkey-removed' },
} as const satisfies FactorKind;
