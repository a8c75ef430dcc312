/**
 * One demo provider: metadata, keys, the page on which a person chooses an identity, codes, tokens, userinfo. The dialects
 * define the differences. No provider library is used, because a library cannot simulate faults.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { SiteRequest } from '../site/read-request.js';
import { json, page, redirect, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import { readAuthorizationRequest } from './authorization-request.js';
import { isClient } from './client-authentication.js';
import type { AuthorizationRequest, Dialect, DemoProviderClient } from './dialect.js';
import type { Endpoint, Faults } from './faults.js';
import { Grants } from './grants.js';
import { makeIdToken } from './id-token.js';
import { KeyRing } from './key-ring.js';
import { buildChoosePage } from './pages/choose.page.js';
import { buildFormPostReply } from './pages/form-post.page.js';
import { buildNoticePage } from './pages/notice.page.js';
import { PEOPLE, findPerson, type Person } from './people.js';
import { toLanguage } from './phrases.js';
import { applyAnswerFault, applyMetadataFault, simulateNetworkFault } from './faulty-responses.js';

const TOKEN_LIFETIME_SECONDS = 3599;

export interface DemoProviderSettings {
  dialect: Dialect;
  client: DemoProviderClient;
  faults: Faults;
  now: () => Date;
}

export interface ExtraClaims {
  idToken?: Readonly<Record<string, unknown>>;
  userinfo?: Readonly<Record<string, unknown>>;
}

export class DemoProvider {
  readonly keys: KeyRing;
  readonly grants: Grants;
  /** Number of calls by servers, per endpoint. */
  readonly calls: Record<Endpoint, number> = { metadata: 0, keys: 0, token: 0, userinfo: 0 };
  /** Claims in addition to the provider's own; a claim of the same name replaces the provider's. */
  extraClaims: ExtraClaims = {};

  constructor(private readonly settings: DemoProviderSettings) {
    this.keys = new KeyRing(settings.dialect.algorithm);
    this.grants = new Grants(settings.now);
  }

  routes(): Routes {
    const { id, paths } = this.settings.dialect;
    return {
      [`GET ${paths.metadata}`]: (request) => this.#serve('metadata', request, () => json(this.#buildMetadata(request))),
      [`GET ${paths.keys}`]: (request) => this.#serve('keys', request, async () => json(await this.keys.list())),
      [`POST ${paths.token}`]: (request) => this.#serve('token', request, () => this.#redeemCode(request)),
      ...(paths.userinfo === undefined
        ? {}
        : { [`GET ${paths.userinfo}`]: (request) => this.#serve('userinfo', request, () => this.#answerUserinfo(request)) }),
      [`GET ${paths.authorize}`]: (request) => this.#authorize(request),
      [`POST /${id}/choice`]: (request) => this.#finishChoice(request),
    };
  }

  async #serve(endpoint: Endpoint, { url }: SiteRequest, answer: () => Reply | Promise<Reply>): Promise<Reply> {
    const { dialect, faults } = this.settings;
    this.calls[endpoint]++;
    const fault = faults.findNetworkFault(dialect.id, endpoint);
    return fault === null ? answer() : simulateNetworkFault(fault, url, answer);
  }

  #buildMetadata({ url, params }: SiteRequest): object {
    const { dialect, faults } = this.settings;
    return applyMetadataFault(dialect.metadata(url.origin, params['tenant'] ?? ''), faults.find(dialect.id));
  }

  /**
   * A fault that `readAuthorizationRequest` finds is shown on a page. RFC 6749, 4.1.2.1, requires this if the client or its
   * redirect address is not registered. An error that the dialect finds is sent to the client.
   */
  #authorize(request: SiteRequest): Reply {
    const { dialect, client } = this.settings;
    const language = toLanguage(request);
    const authRequest = readAuthorizationRequest(request, client);
    if (typeof authRequest === 'string') return page(buildNoticePage(language, dialect, authRequest), 400);
    const error = dialect.findError(authRequest);
    if (error !== null) return this.#answer(request, authRequest, { error });
    const people = PEOPLE.filter((person) => dialect.serves(authRequest.tenant, person));
    return page(buildChoosePage({ language, dialect, people, requestId: this.grants.storeRequest(authRequest) }));
  }

  #finishChoice(request: SiteRequest): Reply {
    const { dialect } = this.settings;
    const form = new URLSearchParams(request.body);
    const authRequest = this.grants.findRequest(form.get('request'));
    if (!authRequest) return page(buildNoticePage(toLanguage(request), dialect, 'request_unknown'), 400);
    const person = findPerson(form.get('person'));
    if (!person || !dialect.serves(authRequest.tenant, person))
      return this.#answer(request, authRequest, { error: dialect.cancelError });
    const extras = dialect.extraParameters(authRequest, person, this.grants.recordConsent(person));
    return this.#answer(request, authRequest, { code: this.grants.issue(authRequest, person), ...extras });
  }

  #answer(request: SiteRequest, authRequest: AuthorizationRequest, values: Record<string, string>): Reply {
    const { dialect, faults } = this.settings;
    const issuer = String(dialect.metadata(request.url.origin, authRequest.tenant)['issuer']);
    const answer = {
      ...values,
      ...(authRequest.state === null ? {} : { state: authRequest.state }),
      ...(dialect.sendsIssuer ? { iss: issuer } : {}),
    };
    const parameters = applyAnswerFault(answer, faults.find(dialect.id));
    if (authRequest.responseMode === 'form_post')
      return buildFormPostReply(toLanguage(request), authRequest.redirectUri, parameters);
    const target = new URL(authRequest.redirectUri);
    for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
    return redirect(target.href);
  }

  async #redeemCode(request: SiteRequest): Promise<Reply> {
    const { dialect, client, now } = this.settings;
    const form = new URLSearchParams(request.body);
    const issuer = String(dialect.metadata(request.url.origin, '')['issuer']);
    if (!(await isClient(dialect, { request, form, client, issuer, now: now() }))) return toErrorReply('invalid_client', 401);
    if (form.get('grant_type') !== 'authorization_code') return toErrorReply('unsupported_grant_type');
    const grant = this.grants.consume(form.get('code') ?? '');
    if (!grant) return toErrorReply('invalid_grant');
    const { request: authRequest, person } = grant;
    if (form.get('redirect_uri') !== authRequest.redirectUri || !isProven(authRequest.codeChallenge, form.get('code_verifier'))) {
      return toErrorReply('invalid_grant');
    }
    return json(await this.#issueTokens(request.url.origin, authRequest, person));
  }

  /** Answers with the claims of the person (OpenID Connect Core, 5.3). */
  #answerUserinfo({ headers }: SiteRequest): Reply {
    const { dialect, client, faults } = this.settings;
    const authorization = this.grants.findByToken((headers.authorization ?? '').replace(/^Bearer /i, ''));
    if (!authorization) return toErrorReply('invalid_token', 401);
    const { request: authRequest, person } = authorization;
    const sub = faults.isActive(dialect.id, 'userinfo-subject') ? 'somebody-else' : dialect.subject(person, client.id);
    const claims = {
      ...dialect.claims(person, authRequest, client.id),
      ...dialect.userinfo?.(person, authRequest),
      ...this.extraClaims.userinfo,
    };
    return json({ ...(faults.isActive(dialect.id, 'userinfo-no-subject') ? {} : { sub }), ...claims });
  }

  async #issueTokens(origin: string, authRequest: AuthorizationRequest, person: Person): Promise<object> {
    const { dialect, client, faults, now } = this.settings;
    const accessToken = randomBytes(32).toString('base64url');
    const iat = Math.floor(now().getTime() / 1000);
    const fault = faults.find(dialect.id);
    const claims = {
      iss: dialect.issuer(origin, person),
      sub: dialect.subject(person, client.id),
      aud: client.id,
      iat,
      exp: iat + TOKEN_LIFETIME_SECONDS,
      ...(authRequest.nonce === null ? {} : { nonce: authRequest.nonce }),
      ...(dialect.sendsAuthTime(authRequest) ? { auth_time: iat } : {}),
      ...dialect.claims(person, authRequest, client.id),
      ...this.extraClaims.idToken,
    };
    this.grants.keepToken(accessToken, { request: authRequest, person });
    const idToken = await makeIdToken({ keys: this.keys, algorithm: dialect.algorithm, claims, accessToken, fault });
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: authRequest.scopes.join(' '),
      ...(fault === 'no-id-token' ? {} : { id_token: idToken }),
    };
  }
}

/** Verifies the code verifier (RFC 7636, 4.6). */
function isProven(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return verifier === null;
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  );
}

function toErrorReply(error: string, status = 400): Reply {
  return json({ error, error_description: 'Bad Request' }, status);
}
