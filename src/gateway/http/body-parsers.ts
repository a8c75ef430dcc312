/** Express' body parsers for the gateway and the operator API. */
import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';

export type { RequestHandler };

const MAX_FIELDS = 200;

/** An error of a parser: a plain error with a status and one of the types that express documents. */
export interface ParserError extends Error {
  type?: string;
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @param limit bytes */
export function formParser(limit: number): RequestHandler {
  return express.urlencoded({ extended: false, limit, parameterLimit: MAX_FIELDS });
}

/** Parses JSON objects and lists. @param limit bytes */
export function jsonParser(limit: number): RequestHandler {
  return express.json({ strict: true, limit });
}

/** The content type has been checked before; compressed bodies are not accepted. */
const EXACT_OPTIONS = { type: () => true, inflate: false };

/** Parses any JSON value. Refuses bytes that are not UTF-8. @param limit bytes */
export function exactJsonParser(limit: number): RequestHandler {
  return express.json({ ...EXACT_OPTIONS, strict: false, limit, verify: requireJsonBytes });
}

/** Parses text. Refuses bytes that are not UTF-8. @param limit bytes */
export function exactTextParser(limit: number): RequestHandler {
  return express.text({ ...EXACT_OPTIONS, limit, verify: requireUtf8 });
}

/** Refuses an empty body, which the parser would read as an empty object. */
function requireJsonBytes(request: unknown, response: unknown, bytes: Buffer): void {
  if (bytes.length === 0) throw new Error('An empty body is not JSON');
  requireUtf8(request, response, bytes);
}

/** Refuses invalid UTF-8, in which the parsers would replace characters. */
function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
