/** Formats claims for people: known claims come first, in a fixed order and with a label; times become dates, and lists become text. */
import type { SiteLanguage } from '../../site/language.js';
import { formatTime } from '../../site/format-time.js';
import type { Phrases } from '../phrases.js';

const TIMES = new Set(['auth_time', 'iat', 'exp']);
/** Claims that only the protocol needs; the raw view shows them. */
const PROTOCOL_CLAIMS = new Set(['nonce', 'at_hash', 'c_hash', 'jti', 'rat']);

export interface FormattedClaim {
  name: string;
  label: string;
  value: string;
}

export function formatClaims(
  claims: Readonly<Record<string, unknown>>,
  labels: Phrases['account']['claimNames'],
  language: SiteLanguage,
): FormattedClaim[] {
  const claimLabels = Object.entries(labels).filter(([name]) => name in claims);
  const otherNames = Object.keys(claims).filter((name) => !Object.hasOwn(labels, name) && !PROTOCOL_CLAIMS.has(name));
  return [...claimLabels, ...otherNames.map((name) => [name, name] as const)].map(([name, label]) => ({
    name,
    label,
    value: formatValue(name, claims[name], language),
  }));
}

function formatValue(name: string, value: unknown, language: SiteLanguage): string {
  if (TIMES.has(name) && typeof value === 'number' && Number.isFinite(value)) return formatTime(value * 1000, language);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ') || '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
