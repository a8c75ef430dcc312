/**
 * Parses a browser's response about a security key or passkey: only known members, of the right type and size, in base64url.
 * `verified-credential.ts` verifies the response.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

const MAX_LENGTH = 65_536;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const TRANSPORTS = ['usb', 'nfc', 'ble', 'internal', 'hybrid', 'smart-card', 'cable'] as const;

type Members = Readonly<Record<string, unknown>>;

/** @param input an object, or JSON text */
export function parseRegistration(input: unknown): RegistrationResponseJSON | null {
  const credential = parseCredential(input);
  if (!credential) return null;
  const { id, response } = credential;
  const { clientDataJSON, attestationObject } = response;
  if (!isBase64url(clientDataJSON) || !isBase64url(attestationObject)) return null;
  const transports = toTransports(response['transports']);
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** @param input an object, or JSON text */
export function parseAssertion(input: unknown): AuthenticationResponseJSON | null {
  const credential = parseCredential(input);
  if (!credential) return null;
  const { id, response } = credential;
  const { clientDataJSON, authenticatorData, signature } = response;
  if (!isBase64url(clientDataJSON) || !isBase64url(authenticatorData) || !isBase64url(signature)) return null;
  const userHandle = response['userHandle'] ?? '';
  if (userHandle !== '' && !isBase64url(userHandle)) return null;
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle === '' ? {} : { userHandle }) },
  };
}

function parseCredential(input: unknown): { id: string; response: Members } | null {
  const credential = toMembers(typeof input === 'string' ? parseJson(input) : input);
  const response = toMembers(credential?.['response']);
  if (!credential || !response) return null;
  const { id, rawId, type } = credential;
  if (!isBase64url(id) || rawId !== id || type !== 'public-key') return null;
  const size = [id, ...Object.values(response)].reduce<number>(
    (sum, member) => sum + (typeof member === 'string' ? member.length : 0),
    0,
  );
  return size > MAX_LENGTH ? null : { id, response };
}

function parseJson(text: string): unknown {
  if (text.length > MAX_LENGTH) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toMembers(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function isBase64url(value: unknown): value is string {
  return typeof value === 'string' && BASE64URL.test(value);
}

function toTransports(input: unknown): (typeof TRANSPORTS)[number][] {
  return Array.isArray(input) ? TRANSPORTS.filter((transport) => input.includes(transport)) : [];
}
