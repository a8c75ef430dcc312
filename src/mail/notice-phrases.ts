/** The phrases of mails: which one says what. They stand in the locales and never reach a browser. */
import { PHRASES, type PhraseKey } from '../../locales/phrases.js';
import type { Language } from '../../locales/languages.js';

type MailKey = Extract<PhraseKey, `mail.${string}`>;

interface NoticeKeys {
  subject: MailKey;
  /** What happened, in a sentence. */
  event: MailKey;
}

/** The name of what a counter of wrong codes is about: a kind of second factor, or its set-up. */
export function factorKey(factor: unknown): MailKey | undefined {
  if (typeof factor !== 'string') return undefined;
  const key = toKey(`factor-${factor.replace(/-setup$/, '')}`);
  return isMailKey(key) ? key : undefined;
}

/** `totp-added` → `mail.totp_added` */
function toKey(kind: string): string {
  return `mail.${kind.replaceAll('-', '_')}`;
}

function isMailKey(key: string): key is MailKey {
  return Object.hasOwn(PHRASES.en, key);
}

/** A kind that this version does not know; a newer version may run beside it. */
export class NoticeKindUnknown extends Error {
  constructor() {
    super('There are no words for a mail of this kind.');
    this.name = 'NoticeKindUnknown';
  }
}

/** @throws NoticeKindUnknown: rows outlive the version that wrote them */
export function noticeKeys(kind: string): NoticeKeys {
  const [subject, event] = [toKey(kind), `${toKey(kind)}_text`];
  if (!isMailKey(subject) || !isMailKey(event)) throw new NoticeKindUnknown();
  return { subject, event };
}

/**
 * A mail with a code, and what to do if somebody else asked for it. Throws NoticeKindUnknown
 * @param act what the code is for, where a kind has words for several
 */
export function codeKeys(kind: string, act?: string | number): NoticeKeys & { ifNot: MailKey } {
  const words = act === undefined ? kind : `${kind}-${act}`;
  const ifNot = `${toKey(words)}_if_not`;
  if (!isMailKey(ifNot)) throw new NoticeKindUnknown();
  return { ...noticeKeys(words), ifNot };
}

export type MailPhrase = (key: MailKey, values?: Readonly<Record<string, string>>) => string;

/** Values are inserted literally; placeholders in them are not replaced. */
export function mailPhrases({ phrases }: Pick<Language, 'phrases'>): MailPhrase {
  return (key, values = {}) => phrases[key].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
