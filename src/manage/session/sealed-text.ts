/**
 * Preserves the text of a form while the person gives a fresh proof. The text is sealed in the return address and readable only in
 * this session, so that no link can fill in a form. Secrets must not be preserved this way.
 */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { toSearch } from './manage-pages.js';
import type { ManageRequest } from './manage-session.js';

/** The longest username or e-mail address. */
const MAX_LENGTH = 254;

@Injectable()
export class SealedText {
  constructor(private readonly keys: Keys) {}

  /** @returns the path with the sealed text; without it if the text is null or longer than any valid text */
  addTo(path: string, text: string | null, { session }: ManageRequest): string {
    if (text === null || text.length > MAX_LENGTH) return path;
    return `${path}?${MANAGE_QUERY.kept}=${this.keys.seal('kept-text', JSON.stringify([session.sessionId, text]))}`;
  }

  /** @returns the text in the address of this request, if it belongs to this session */
  find(request: ManageRequest): string | null {
    const sealedText = toSearch(request).get(MANAGE_QUERY.kept);
    const plaintext = sealedText === null ? null : this.keys.open('kept-text', sealedText);
    if (plaintext === null) return null;
    const [sessionId, text] = JSON.parse(plaintext) as [string, string];
    return sessionId === request.session.sessionId ? text : null;
  }
}
