/** Formats addresses, and marks texts of a mail. */
import { html, type Html } from '../../site/html.js';
import type { MailAddress, Message } from '../message.js';

export function readableAddress({ name, address }: MailAddress): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** Attributes of an element with text of the mail, which need not be in the language of the page. */
export function markLanguage({ language }: Message): Html {
  return html`lang="${language}" dir="auto"`;
}
