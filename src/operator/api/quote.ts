import { shortenText } from '../../config/cut-text.js';

const MAX_LENGTH = 40;

/** Shortens a value from a request for use in an error message. */
export function shorten(text: string): string {
  return shortenText(text, MAX_LENGTH);
}

/** Shortens a value from a request and puts it in quotes. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}
