/** The links of the footer: each link has a setting for German and one for English, and one setting has all links in any language. */
import type { FooterLink } from '../contract/page-state.js';
import type { FooterAddress } from './value-types.js';
import { defined } from './defined.js';
import { address, fromJson, isLanguageTag, isObject, type Kind, type Reading } from './settings-kinds.js';

const LINKS = ['imprint', 'privacy', 'terms', 'sfdr'] as const satisfies readonly FooterLink['id'][];

/** Addresses by link and language. */
export type FooterLinks = Partial<Record<FooterLink['id'], Readonly<Record<string, string>>>>;

type FooterSettings = { footerLinks: FooterLinks } & Partial<Record<`${FooterLink['id']}${'De' | 'En'}`, string | undefined>>;

export const footerLinks: Kind<FooterLinks> = {
  label: 'JSON',
  read: (value) => fromJson(value, readLinks),
};

function readLinks(parsed: unknown): Reading<FooterLinks> {
  if (!isObject(parsed)) return { fault: 'is not a JSON object of links' };
  for (const [id, urls] of Object.entries(parsed)) {
    if (!LINKS.some((link) => link === id))
      return { fault: `has ${JSON.stringify(id)}, which is not one of ${LINKS.join(', ')}` };
    if (!isObject(urls)) return { fault: `has ${id} in another form than {"fr": "https://…"}` };
    for (const [locale, url] of Object.entries(urls)) {
      const reading = typeof url === 'string' ? address.read(url) : { fault: 'is not a string' };
      if (!isLanguageTag(locale))
        return { fault: `has ${id} in ${JSON.stringify(locale)}, which is not the tag of a known language (BCP 47)` };
      if ('fault' in reading) return { fault: `has an address of ${id} in ${locale} that ${reading.fault}` };
    }
  }
  return { value: parsed };
}

export function toFooter(values: FooterSettings): FooterAddress[] {
  return LINKS.flatMap((id) => {
    const [de, en] = [values[`${id}De`], values[`${id}En`]];
    const urls = { ...defined({ de }), ...defined({ en }), ...values.footerLinks[id] };
    return Object.keys(urls).length > 0 ? [{ id, urls }] : [];
  });
}
