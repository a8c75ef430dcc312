/**
 * What somebody had typed into a form when their proof turned out to be too old: it travels through the question in the
 * address that leads back, sealed, and only this session opens it, so that no link fills a form in. Never a secret.
 */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { ManageRequest } from './manage-session.js';

/** Whatever is longer is no user name. */
const LONGEST = 200;

@Injectable()
export class KeptText {
  constructor(private readonly keys: Keys) {}

  /** @returns the place, with the text where there is one to keep */
  urlFor(path: string, text: string | null, { session }: ManageRequest): string {
    if (text === null || text.length > LONGEST) return path;
    return `${path}?${MANAGE_QUERY.kept}=${this.keys.seal('kept-text', JSON.stringify([session.sessionId, text]))}`;
  }

  /** @returns what the address of this request has kept for this session */
  find({ context, session }: ManageRequest): string | null {
    const sealed = new URL(context.url, 'http://area').searchParams.get(MANAGE_QUERY.kept);
    const plaintext = sealed === null ? null : this.keys.open('kept-text', sealed);
    if (plaintext === null) return null;
    const [sessionId, text] = JSON.parse(plaintext) as [string, string];
    return sessionId === session.sessionId ? text : null;
  }
}
