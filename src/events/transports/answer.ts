/** Interprets the answer of a receiver, and prepares its text for operators. */
import { defined } from '../../config/defined.js';
import type { DeliveryAnswer } from '../transport.js';
import type { SinkEvent } from '../sink-event.js';
import type { HttpAnswer, NoHttpAnswer } from './http-post.js';

/** Statuses with which a receiver refuses one event, but may accept others. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_SHOWN_LENGTH = 500;
/** Only this many characters are examined, because a hostile receiver can send a long answer that takes much time to examine. */
const MAX_READ_LENGTH = 4000;
const MASK = '…';
/** Signatures, keys and tokens: at least 20 characters of base64. A hyphen ends a match, so that ids (UUID) remain readable. */
const LONG_TOKEN = /[a-z0-9+/=_]{20,}/gi;
/** E-mail addresses, with `@` plain or percent-encoded. */
const ADDRESS = /[^\s"'<>(),;:]{1,256}(?:@|%40)[^\s"'<>(),;:]+/gi;
/** Texts that are shorter are masked only as whole words. */
const SHORT_LENGTH = 4;

/** The event that was sent, and the secrets of the sink. Secrets and the names of the person are masked if a receiver repeats them. */
export interface SentValues {
  event: SinkEvent;
  secrets: readonly string[];
}

export function toDeliveryAnswer(answer: HttpAnswer | NoHttpAnswer, sentValues: SentValues): DeliveryAnswer {
  if (answer.kind === 'failure') return { isDelivered: false, status: answer.reason, body: '' };
  const { status, body, retryAfterSeconds } = answer;
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    status: String(status),
    body: toShownText(body, sentValues),
    ...defined({ retryAfterSeconds, isRefused: REFUSALS.has(status) ? (true as const) : undefined }),
  };
}

/**
 * @returns the beginning of the text: at most 500 characters, without control characters, secrets or e-mail addresses, and without the
 * username and the subject of the person
 */
export function toShownText(text: string, { event, secrets }: SentValues): string {
  const { account, detail } = event;
  // A value of the header `authorization` mostly has two words: a scheme and the secret itself, which a receiver may repeat alone.
  const hiddenValues = [
    ...secrets,
    ...secrets.flatMap((secret) => secret.split(/\s+/)),
    account?.username,
    account?.email,
    detail['subject'],
  ];
  let shownText = cut(text)
    .replace(/\p{C}+/gu, ' ')
    .trim();
  for (const value of hiddenValues) {
    if (typeof value !== 'string' || value === '') continue;
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) shownText = mask(shownText, form);
  }
  shownText = shownText.replace(ADDRESS, MASK).replace(LONG_TOKEN, MASK);
  return [...shownText].slice(0, MAX_SHOWN_LENGTH).join('');
}

/** Cuts a text that is too long, and removes the last word, which may be the beginning of a value to mask. */
function cut(text: string): string {
  return text.length <= MAX_READ_LENGTH ? text : text.slice(0, MAX_READ_LENGTH).replace(/\S*$/, '');
}

function mask(text: string, form: string): string {
  const escapedForm = form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = form.length < SHORT_LENGTH ? `(?<![\\p{L}\\p{N}])${escapedForm}(?![\\p{L}\\p{N}])` : escapedForm;
  return text.replaceAll(new RegExp(pattern, 'giu'), MASK);
}
