/** Finds the phrases of mails in the locales. These phrases are never sent to a browser. */
import { PHRASES, type PhraseKey } from '../../locales/phrases.js';
import type { Language } from '../../locales/languages.js';

type MailKey = Extract<PhraseKey, `mail.${string}`>;

interface NoticeKeys {
  subject: MailKey;
  /** What happened, in a sentence. */
  event: MailKey;
}

/** @param factor kind of a second factor, or of its set-up @returns the key of its name; undefined for an unknown kind */
export function findFactorKey(factor: unknown): MailKey | undefined {
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

/** The kind of a mail is unknown to this version: a newer version may have queued the mail. */
export class NoticeKindUnknown extends Error {
  constructor() {
    super('This version of Foyer cannot write a mail of this kind.');
    this.name = 'NoticeKindUnknown';
  }
}

/** @throws NoticeKindUnknown, because another version may have queued the mail */
export function getNoticeKeys(kind: string): NoticeKeys {
  const [subject, event] = [toKey(kind), `${toKey(kind)}_text`];
  if (!isMailKey(subject) || !isMailKey(event)) throw new NoticeKindUnknown();
  return { subject, event };
}

/**
 * Finds the phrases of a mail with a code. `ifNot`: what to do if another person requested the code.
 * @param act the act that the code confirms, if a kind has phrases for several acts
 * @throws NoticeKindUnknown
 */
export function getCodeKeys(kind: string, act?: string | number): NoticeKeys & { ifNot: MailKey } {
  const kindWithAct = act === undefined ? kind : `${kind}-${act}`;
  const ifNot = `${toKey(kindWithAct)}_if_not`;
  if (!isMailKey(ifNot)) throw new NoticeKindUnknown();
  return { ...getNoticeKeys(kindWithAct), ifNot };
}

export type MailPhrase = (key: MailKey, values?: Readonly<Record<string, string>>) => string;

/** Creates a function that finds a phrase and inserts values. Placeholders in a value are not replaced. */
export function createMailPhrase({ phrases }: Pick<Language, 'phrases'>): MailPhrase {
  return (key, values = {}) => phrases[key].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
