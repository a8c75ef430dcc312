/** Reads what the edge may know of a request and puts it on the request as a `Visit`. */
import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import { randomToken } from '../config/keys.js';
import { LANGUAGE_KEYS } from '../contract/form-fields.js';
import type { Cookies } from './cookies.js';
import type { VisitedRequest } from './visit.js';

export function visitMiddleware(cookies: Cookies) {
  return (request: VisitedRequest, response: Response, next: NextFunction): void => {
    const jar = cookies.read(request.headers.cookie);
    const lng = request.query[LANGUAGE_KEYS.query];
    request.visit = {
      requestId: randomUUID(),
      address: request.ip ?? '',
      browser: jar.browser ?? randomToken(),
      isKnownBrowser: jar.browser !== null,
      device: jar.device,
      path: request.path,
      url: request.originalUrl,
      language: {
        query: typeof lng === 'string' ? lng : null,
        cookie: jar.language,
        accept: request.headers['accept-language'] ?? '',
      },
      resume: jar.resume,
    };
    response.setHeader('X-Request-Id', request.visit.requestId);
    next();
  };
}
