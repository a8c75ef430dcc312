/** Formats addresses and times. */
import type { SiteLanguage } from '../../site/language.js';
import type { MailAddress } from '../message.js';

export function readableAddress({ name, address }: MailAddress): string {
  return name === '' ? address : `${name} <${address}>`;
}

export function readableDate(date: Date, language: SiteLanguage): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
}
