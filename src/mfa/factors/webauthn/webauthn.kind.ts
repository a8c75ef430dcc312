import { isIpAddress } from '../../../config/safe-address.js';
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
  /** Browsers do not accept an IP address as a relying party (WebAuthn Level 3, section 5.1.3, step 7). */
  examine: ({ publicUrl }) =>
    isIpAddress(new URL(publicUrl).hostname)
      ? { problem: 'browsers refuse security keys at an IP address', fix: 'Set PUBLIC_URL to a host name.' }
      : null,
} as const satisfies FactorKind;
