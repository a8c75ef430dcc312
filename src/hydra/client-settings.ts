/**
 * Reads `metadata.foyer` of a client. If a member that limits sign-ins cannot be read, the client's login and consent requests are refused,
 * because the limit would otherwise be missing. An unreadable member that only allows or shows something is ignored.
 */
import type { ClientProfile } from './client-profile.js';
import { isObject } from '../config/settings-kinds.js';
import type { Wire } from './wire.js';

type Settings = ClientProfile['foyer'];

/** A member that cannot be read. Contains no text of the registration, except the names of members. */
export interface ClientFault {
  member: string;
  fault: string;
  /** Whether login and consent requests of the client are refused. */
  isRefused: boolean;
}

const MEMBERS: readonly string[] = ['confirm_session', 'device_acr_values', 'logo', 'look', 'mfa', 'return_urls'];

/** Finds `foyer` in metadata that is a string or a list, such as JSON that was encoded twice. */
const FOYER_NAME = /\bfoyer\b/;

/** Not found in this file, because only the sign-in policy knows the authentication classes of this installation. */
export const UNKNOWN_CLASSES: ClientFault = {
  member: 'device_acr_values',
  fault: 'names no class that this installation knows',
  isRefused: true,
};

/** @param client as Hydra returns it; a member that is null is treated as absent */
export function readClientSettings(client: Wire): { settings: Settings; faults: readonly ClientFault[] } {
  const settings: Settings = { confirmSession: false, returnUrls: [] };
  const members = readFoyerMember(client['metadata']);
  if (typeof members === 'string') return { settings, faults: [toRefusedFault('the value', members)] };
  const { confirm_session: confirmSession, mfa, device_acr_values: acrValues, return_urls: urls, look, logo } = members;
  const faults: ClientFault[] = [];

  if (typeof confirmSession === 'boolean') settings.confirmSession = confirmSession;
  else if (isPresent(confirmSession)) faults.push(toRefusedFault('confirm_session', 'is neither true nor false'));

  if (mfa === 'required') settings.mfa = mfa;
  else if (isPresent(mfa)) faults.push(toRefusedFault('mfa', 'is not "required"'));

  const deviceAcrValues = readWords(acrValues);
  if (deviceAcrValues?.length === 0) faults.push(toRefusedFault('device_acr_values', 'is empty'));
  else if (deviceAcrValues) settings.deviceAcrValues = deviceAcrValues;
  else if (isPresent(acrValues)) faults.push(toRefusedFault('device_acr_values', 'is neither a string nor a list of strings'));

  if (isTexts(urls)) settings.returnUrls = urls;
  else if (isPresent(urls)) faults.push(toUnusedFault('return_urls', 'is not a list of strings'));

  if (isPresent(look)) settings.look = look;
  if (isPresent(logo) && typeof logo !== 'string') faults.push(toUnusedFault('logo', 'is not a string'));

  const unknownMembers = Object.keys(members).filter((member) => !MEMBERS.includes(member));
  faults.push(...unknownMembers.map((member) => toUnusedFault(member, 'is not a member that Foyer knows')));
  return { settings, faults };
}

/** @returns `foyer` of the metadata, or why it cannot be read */
function readFoyerMember(metadata: unknown): Wire | string {
  if (!isObject(metadata))
    return FOYER_NAME.test(JSON.stringify(metadata ?? null)) ? 'is part of metadata that is not a JSON object' : {};
  const foyer = metadata['foyer'] ?? {};
  return isObject(foyer) ? foyer : 'is not a JSON object';
}

/** Reads words in a text, separated by whitespace, or in a list. @returns null for any other value */
function readWords(value: unknown): string[] | null {
  const text = isTexts(value) ? value.join(' ') : value;
  return typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : null;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const toRefusedFault = (member: string, fault: string): ClientFault => ({ member, fault, isRefused: true });
const toUnusedFault = (member: string, fault: string): ClientFault => ({ member, fault, isRefused: false });
