/** Reads the request context and sets it as `context` of the request. */
import { isIP } from 'node:net';
import type { NextFunction, Response } from 'express';
import type { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { createRequestId } from '../../config/request-id.js';
import { LANGUAGE_KEYS } from '../../contract/form-fields.js';
import type { Cookies } from '../security/cookies.js';
import { findNamedLanguage } from './language.js';
import type { ContextualRequest } from './request-context.js';

export function requestContextMiddleware(cookies: Cookies, settings: Config['language'], clock: Clock) {
  return (request: ContextualRequest, response: Response, next: NextFunction): void => {
    const { browser: knownBrowser, language: chosenLanguage, ...jar } = cookies.read(request.headers.cookie);
    const lng = request.query[LANGUAGE_KEYS.query];
    const language = {
      query: typeof lng === 'string' ? lng : null,
      cookie: chosenLanguage,
      accept: request.headers['accept-language'] ?? '',
    };
    const browser = knownBrowser ?? randomToken();
    request.context = {
      ...jar,
      requestId: createRequestId(clock),
      address: buildAddress(request.ip, request.socket.remoteAddress),
      userAgent: request.headers['user-agent'] ?? '',
      browser,
      isKnownBrowser: knownBrowser !== null,
      fetchSite: toSite(request.headers['sec-fetch-site']),
      path: request.path,
      url: request.originalUrl,
      language,
      findLocale: (uiLocales) => findNamedLanguage({ ...language, uiLocales }, settings),
      xsrf: null,
      formBrowser: browser,
      submission: null,
      outdatedXsrf: null,
    };
    response.setHeader('X-Request-Id', request.context.requestId);
    next();
  };
}

function toSite(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const IPV6_WITH_PORT = /^\[([^\]]+)\](?::\d{1,5})?$/;

/**
 * A trusted proxy may append `address:port` or forward arbitrary text. Text that is not an address is replaced by the
 * peer's address; otherwise each such text would get a separate attempt counter.
 */
export function buildAddress(forwardedText: string | undefined, peer: string | undefined): string {
  const text = (forwardedText ?? '').trim().slice(0, 100);
  const candidates = [text, IPV4_WITH_PORT.exec(text)?.[1], IPV6_WITH_PORT.exec(text)?.[1]];
  return candidates.find((candidate) => candidate !== undefined && isIP(candidate) !== 0) ?? peer ?? '';
}
