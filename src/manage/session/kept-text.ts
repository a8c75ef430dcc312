/**
 * What somebody had typed into a form when their proof turned out to be too old: it travels through the question in the
 * address that leads back, sealed, and only this session opens it, so that no link fills a form in. Never a secret.
 */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import { AREA_QUERY } from '../../contract/form-fields.js';
import type { Caller } from './manage-session.js';

/** Whatever is longer is no user name. */
const LONGEST = 200;

@Injectable()
export class KeptText {
  constructor(private readonly keys: Keys) {}

  /** @returns the place, with the text where there is one to keep */
  addressOf(place: string, text: string | null, { visitor }: Caller): string {
    if (text === null || text.length > LONGEST) return place;
    return `${place}?${AREA_QUERY.kept}=${this.keys.seal('kept-text', JSON.stringify([visitor.sessionId, text]))}`;
  }

  /** @returns what the address of this request has kept for this session */
  find({ visit, visitor }: Caller): string | null {
    const sealed = new URL(visit.url, 'http://area').searchParams.get(AREA_QUERY.kept);
    const plaintext = sealed === null ? null : this.keys.open('kept-text', sealed);
    if (plaintext === null) return null;
    const [sessionId, text] = JSON.parse(plaintext) as [string, string];
    return sessionId === visitor.sessionId ? text : null;
  }
}
