/** Builds the state of the consent page from a consent request. */
import { findScopeClaims } from '../../accounts/attributes/claims.js';
import { toAccountState } from '../../accounts/account/account-state.js';
import type { Account } from '../../accounts/account/accounts.js';
import { parseDay } from '../../config/calendar-day.js';
import type { Config, Language } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { FIELDS } from '../../contract/form-fields.js';
import { chooseText } from '../../contract/locale.js';
import type { ChallengeFault, ClaimState, ConsentState, ScopeState } from '../../contract/page-state.js';
import { PATHS } from '../../contract/paths.js';
import { FAR_REACHING_SCOPES, REQUIRED_SCOPE, isBuiltInScope } from '../../contract/scopes.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import { toRestartState } from '../../gateway/page/return-tickets.js';
import { isDeviceRequest } from '../../hydra/authorization-request.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { toClientWithPolicyState } from '../sign-in/waiting-request.js';
import { shortenText } from '../../config/cut-text.js';

/** A longer value is cut to at most this many UTF-16 code units, followed by an ellipsis. */
const MAX_VALUE_LENGTH = 300;

export interface ConsentPageParts {
  request: ConsentRequest;
  account: Account;
  /** Requested scopes that were granted before. */
  grantedScopes: readonly string[];
  error: ConsentState['error'];
  xsrfToken: string;
  ticket: string;
  rules: Pick<Config['consent'], 'scopes' | 'claims'>;
  language: Language;
  options: PageOptions;
}

export function buildConsentPage(parts: ConsentPageParts): PageOutcome {
  const { request, account, grantedScopes, error, xsrfToken, ticket, rules, language, options } = parts;
  const consent: ConsentState = {
    error,
    client: toClientWithPolicyState(request.client),
    account: toAccountState(account),
    scopes: request.requestedScope.map((id) => ({
      ...toScopeState(id, rules.scopes, language),
      ...toDataState(id, parts),
      ...(grantedScopes.includes(id) ? { granted: true as const } : {}),
    })),
    ...(isDeviceRequest(request.requestUrl) ? { device: true } : {}),
    consent_challenge: request.challenge,
    xsrf_token: xsrfToken,
    ticket,
  };
  return page({ page: 'consent', consent }, { self: buildConsentUrl(request.challenge), ...options });
}

export interface BrokenConsent {
  fault: ChallengeFault;
  challenge: string;
  xsrfToken: string;
  restartUrl: string | null;
  refusalUrl: string | undefined;
}

/** "Consent failed!": the challenge is missing or cannot be used (CON-6). */
export function buildBrokenConsentPage({ fault, challenge, xsrfToken, restartUrl, refusalUrl }: BrokenConsent): PageOutcome {
  const consent: ConsentState = {
    error: 'failed',
    challenge_fault: fault,
    client: { name: '' },
    scopes: [],
    consent_challenge: '',
    xsrf_token: xsrfToken,
    ticket: '',
    ...toRestartState(restartUrl),
    ...defined({ redirect_uri: refusalUrl }),
  };
  return page({ page: 'consent', consent }, { status: 400, self: challenge === '' ? PATHS.consent : buildConsentUrl(challenge) });
}

function toScopeState(id: string, catalogue: Config['consent']['scopes'], { locale }: Language): ScopeState {
  const texts = Object.hasOwn(catalogue, id) ? catalogue[id] : undefined;
  const title = chooseText(texts?.title, locale);
  const description = chooseText(texts?.description, locale);
  return {
    id,
    required: id === REQUIRED_SCOPE,
    ...defined({ title }),
    ...defined({ description }),
    ...(FAR_REACHING_SCOPES.includes(id) || texts?.far_reaching ? { far_reaching: true as const } : {}),
  };
}

/** @returns the values that the client would receive, or `empty` if the account has none; neither for a scope without claims */
function toDataState(
  id: string,
  { account, rules: { claims }, language }: ConsentPageParts,
): Pick<ScopeState, 'values' | 'empty'> {
  if (!claims.some(({ scope }) => scope === id)) return {};
  const values = findScopeClaims(account, id, claims).map(({ rule, value }): ClaimState => {
    const title = chooseText(rule.title, language.locale);
    return { claim: rule.claim, value: formatValue(rule.attribute, value, language), ...defined({ title }) };
  });
  return values.length === 0 ? { empty: true } : { values };
}

function formatValue(attribute: string, value: unknown, { dates }: Language): string | boolean {
  if (typeof value === 'boolean') return value;
  const text = formatDate(toDate(attribute, value), dates) ?? toText(value);
  return shortenText(text, MAX_VALUE_LENGTH);
}

/** Formats by language tag, cached because creating a format takes longer than building the rest of the page. */
const DATE_FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatDate(date: Date | null, tag: string): string | null {
  if (date === null) return null;
  const format = DATE_FORMATS.get(tag) ?? new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  DATE_FORMATS.set(tag, format);
  return format.format(date);
}

/** @returns null unless the value is `updated_at` or a `birthdate` with year, month and day (OpenID Connect Core, section 5.1) */
function toDate(attribute: string, value: unknown): Date | null {
  if (attribute === 'updated_at') return new Date(Number(value) * 1000);
  return attribute === 'birthdate' && typeof value === 'string' && !value.startsWith('0000') ? parseDay(value) : null;
}

/** Joins the values of lists and objects with commas. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(toText).join(', ') : JSON.stringify(value);
}

export function hasUnknownScope(scopes: readonly string[], catalogue: Config['consent']['scopes']): boolean {
  return scopes.some((scope) => !isBuiltInScope(scope) && !Object.hasOwn(catalogue, scope));
}

function buildConsentUrl(challenge: string): string {
  return `${PATHS.consent}?${FIELDS.consentChallenge}=${encodeURIComponent(challenge)}`;
}
