/** The error page (`urls.error` of Hydra): shows an error that Hydra could not send to the client. */
import { Controller, Get, Inject, Query, Req, applyDecorators } from '@nestjs/common';
import { IsString } from 'class-validator';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import { ReadAs } from '../../gateway/http/form-fields.decorators.js';
import { OAuthErrorLog } from '../../gateway/http/oauth-error-log.js';
import type { ContextualRequest } from '../../gateway/http/request-context.js';
import { page, type Outcome } from '../../gateway/page/outcome.js';
import { buildUpstreamLogoutUrl } from '../../hydra/upstream-url.js';
import { cutText } from '../../config/cut-text.js';

const MAX_TEXT_LENGTH = 1000;

/** Anybody can create a link to this page: the text is shortened, stripped of control characters and shown as text (ERR-5). */
const UntrustedText = (): PropertyDecorator =>
  applyDecorators(
    ReadAs((value) =>
      typeof value === 'string'
        ? cutText(value, MAX_TEXT_LENGTH)
            .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
            .trim()
        : '',
    ),
    IsString(),
  );

/**
 * Hydra sends every error of a logout here, but errors of authorization requests only if the client, the redirect URI or the request
 * object is invalid. So an error about an unreadable ID token comes from the `id_token_hint` of a logout, unless it is about a request
 * object (docs/hydra-behaviour.md B.2, B.5, B.6).
 */
const LOGOUT_REFUSED = /\blogout (?:failed|request)\b/i;
const UNREADABLE_HINT = /\b(?:jose|jws|jwt|jwk|id_token_hint|token|base64|json|unexpected EOF|invalid character)\b/i;
const REQUEST_OBJECT = /\brequest_uri\b/;

function isLogoutError(error: string, description: string): boolean {
  if (LOGOUT_REFUSED.test(description)) return true;
  return error === 'invalid_request' && UNREADABLE_HINT.test(description) && !REQUEST_OBJECT.test(description);
}

export class OAuthErrorQuery {
  @UntrustedText()
  error = '';

  @UntrustedText()
  error_description = '';
}

@Public()
@Controller()
export class ErrorController {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
    private readonly errors: OAuthErrorLog,
  ) {}

  @Get(PATHS.error)
  show(@Query() { error, error_description }: OAuthErrorQuery, @Req() { context }: ContextualRequest): Outcome {
    this.errors.record(error, context);
    const isLogout = isLogoutError(error, error_description);
    const logout = isLogout ? { logout_url: buildUpstreamLogoutUrl(this.config.hydra) } : {};
    // Never 5xx: anybody can open this address, and a 5xx would raise the alerts of the installation.
    return page({ page: 'oauth_error', oauth_error: { error, error_description, ...logout } }, { status: 400 });
  }
}
