/** The language of a page that stands beside the gateway: the person's own choice (a cookie), else what the browser asks for. */
export type SiteLanguage = 'de' | 'en';

const LANGUAGES: readonly SiteLanguage[] = ['de', 'en'];

export function isSiteLanguage(value: unknown): value is SiteLanguage {
  return LANGUAGES.some((language) => language === value);
}

/**
 * @param chosen value of the language cookie
 * @param accepted the `Accept-Language` header (RFC 9110, section 12.5.4)
 */
export function chooseLanguage(chosen: string | undefined, accepted: string | undefined): SiteLanguage {
  if (isSiteLanguage(chosen)) return chosen;
  const ranges = (accepted ?? '').split(',').map(readRange);
  const [best] = ranges.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return best?.language ?? 'en';
}

function readRange(range: string): { language: SiteLanguage; weight: number } {
  const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
  const language = LANGUAGES.find((known) => tag === known || tag.startsWith(`${known}-`));
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return language ? { language, weight: Number(quality ?? 1) } : { language: 'en', weight: 0 };
}
