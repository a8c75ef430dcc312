/**
 * Issues the two codes of the device flow (RFC 8628, section 3.2): a long one for the device, and a short one that the person
 * types. Finds the waiting device by the code that was typed.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { readAudiences, readScopes, requireAudiences, requireScopes } from '../authorize/scopes.js';
import type { Core } from '../core.js';
import { OAuthError } from '../oauth-error.js';
import type { ClientRow, TokenRow } from '../store/rows.js';
import { DEVICE_CODE_LIFESPAN_SECONDS } from '../tokens/lifespans.js';

/** The characters of a user code, in which some that are easily confused, such as `0` and `O`, do not occur. */
const USER_CODE_ALPHABET = 'abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXY34679';
const USER_CODE_LENGTH = 8;
const POLL_SECONDS = 5;

export interface DeviceAnswer {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

/** @param form of an authenticated client. @throws OAuthError */
export function issueDeviceCode(core: Core, client: ClientRow, form: Record<string, unknown>): DeviceAnswer {
  const clientId = client.client_id;
  if (form['client_id'] !== clientId) throw OAuthError.create('invalid_request', 'Provided client_id mismatch.');
  const scope = readScopes(toText(form['scope']));
  const audience = readAudiences([toText(form['audience'])]);
  requireScopes(client, scope);
  requireAudiences(client, audience);
  const userCode = createUserCode(core);
  const issuedAt = core.nowSeconds();
  const deviceCode = core.vault.issue({
    ...{ kind: 'device', clientId, scope, audience, issuedAt, device: { userCode } },
    grantId: randomUUID(),
    subject: null,
    expiresAt: issuedAt + DEVICE_CODE_LIFESPAN_SECONDS,
  });
  const verifyUrl = `${core.settings.issuer}/oauth2/device/verify`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: verifyUrl,
    verification_uri_complete: `${verifyUrl}?user_code=${userCode}`,
    expires_in: DEVICE_CODE_LIFESPAN_SECONDS,
    interval: POLL_SECONDS,
  };
}

/** Finds a device that still waits for an answer. User codes are case-sensitive. */
export function findWaitingDevice(core: Core, userCode: string): { id: string; row: TokenRow } | null {
  const [id, row] = core.store.tokens.listMatching('userCode', userCode)[0] ?? [];
  return id !== undefined && row !== undefined && isWaiting(core, row) ? { id, row } : null;
}

export function isWaiting(core: Core, row: TokenRow): boolean {
  return row.subject === null && !row.used && row.expiresAt > core.nowSeconds();
}

function createUserCode(core: Core): string {
  const code = Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_ALPHABET[randomInt(USER_CODE_ALPHABET.length)]).join('');
  return core.store.tokens.listMatching('userCode', code).length === 0 ? code : createUserCode(core);
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
