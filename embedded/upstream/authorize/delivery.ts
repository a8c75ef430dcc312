/**
 * Delivers the result of an authorization request to the client: in the query or the fragment of the redirect address, or in a form
 * that the browser posts to it (OAuth 2.0 Multiple Response Types, Form Post Response Mode). Errors that the client must not receive
 * go to the error page.
 */
import { escapeHtml, toHeaderText, type Exchange } from '../http/exchange.js';
import { Query, joinUrl, splitUrl, withQuery } from '../http/query.js';
import type { OAuthError } from '../oauth-error.js';
import type { ReplyAddress } from './authorize-request.js';

export type Parameters = Record<string, string>;

export function deliver(exchange: Exchange, { redirectUri, responseMode }: ReplyAddress, parameters: Parameters): void {
  const target = redirectUri ?? '';
  exchange.res.setHeader('Cache-Control', 'no-store');
  exchange.res.setHeader('Pragma', 'no-cache');
  if (responseMode === 'form_post') return exchange.send(200, 'text/html;charset=UTF-8', buildFormPage(target, parameters));
  exchange.res.setHeader('Location', toHeaderText(buildAddress(target, responseMode, parameters)));
  exchange.sendEmpty(303);
}

export function deliverError(exchange: Exchange, reply: ReplyAddress, error: OAuthError): void {
  deliver(exchange, reply, { error: error.code, error_description: error.description, state: reply.state });
}

export function showErrorPage(exchange: Exchange, errorUrl: string, error: OAuthError): void {
  exchange.redirect(withQuery(errorUrl, { error: error.code, error_description: error.description }));
}

function buildAddress(target: string, responseMode: ReplyAddress['responseMode'], parameters: Parameters): string {
  if (responseMode === 'fragment') return `${target}#${new Query(Object.entries(parameters)).encode()}`;
  const { base, query } = splitUrl(target);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return joinUrl(base, query);
}

function buildFormPage(target: string, parameters: Parameters): string {
  const fields = Object.entries(parameters).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}"/>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Back to the app</title></head>',
    '<body onload="document.forms[0].submit()">',
    `<form method="post" action="${escapeHtml(target)}">`,
    ...fields,
    '<noscript><button>Continue</button></noscript>',
    '</form></body></html>',
  ].join('\n');
}
