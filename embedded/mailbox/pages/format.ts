/** Formats addresses, and marks the language of a mail's texts. */
import { html, type Html } from '../../site/html.js';
import type { MailAddress, Message } from '../message.js';

export function formatAddress({ name, address }: MailAddress): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** Attributes of an element with text of the mail, because a mail may have another language than the page. */
export function markLanguage({ language }: Message): Html {
  return html`lang="${language}" dir="auto"`;
}
