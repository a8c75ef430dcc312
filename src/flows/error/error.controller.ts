/** The page that Hydra sends people to with an error (`urls.error`), and its language links. */
import { Controller, Get, Query, applyDecorators } from '@nestjs/common';
import { IsString } from 'class-validator';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import { ReadAs } from '../../gateway/http/form-fields.decorators.js';
import { page } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';

const LONGEST = 1000;

/** Anyone can craft this link: the text is shortened, stripped of control characters and shown as text (ERR-5). */
const UntrustedText = (): PropertyDecorator =>
  applyDecorators(
    ReadAs((value) =>
      typeof value === 'string'
        ? value
            .slice(0, LONGEST)
            .replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
            .trim()
        : '',
    ),
    IsString(),
  );

export class OAuthErrorQuery {
  @UntrustedText()
  error = '';

  @UntrustedText()
  error_description = '';
}

/** `urls.error` of the OAuth server: shows errors that it could not send to the client. */
@Public()
@Controller()
export class ErrorController {
  @Get(PATHS.error)
  show(@Query() { error, error_description }: OAuthErrorQuery): Outcome {
    return page({ page: 'oauth_error', oauth_error: { error, error_description } });
  }
}
