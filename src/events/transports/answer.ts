/** What an answer of a receiver means, and what operators are shown of it. */
import { defined } from '../../config/defined.js';
import type { DeliveryAnswer } from '../transport.js';
import type { SinkEvent } from '../sink-event.js';
import type { HttpAnswer, NoHttpAnswer } from './http-post.js';

/** The receiver understood who asks and for what, but not this event; it may take others. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_SHOWN = 500;
/** So much is looked at: a receiver that wants to cost time can answer with much. */
const MAX_READ = 4000;
const MASK = '…';
/** Signatures, keys and tokens in any of their usual forms, and what holds an address of mail. */
const LONG_TOKEN = /[a-z0-9+/=_]{20,}/gi;
const ADDRESS = /[^\s"'<>(),;:]{1,256}(?:@|%40)[^\s"'<>(),;:]+/gi;
/** Shorter texts are masked only where they are a word. */
const SHORT = 4;

/** What was sent and is not shown when a receiver repeats it. */
export interface Sent {
  event: SinkEvent;
  secrets: readonly string[];
}

export function toDeliveryAnswer(answer: HttpAnswer | NoHttpAnswer, sent: Sent): DeliveryAnswer {
  if (answer.kind === 'failure') return { isDelivered: false, status: answer.why, body: '' };
  const { status, body, retryAfterSeconds } = answer;
  const isDelivered = status >= 200 && status < 300;
  return {
    isDelivered,
    status: String(status),
    body: toShownText(body, sent),
    ...defined({ retryAfterSeconds, isRefused: REFUSALS.has(status) ? (true as const) : undefined }),
  };
}

/** @returns the beginning of the text: at most 500 characters, without control characters, secrets, and names and addresses of people */
export function toShownText(text: string, { event, secrets }: Sent): string {
  const { account, detail } = event;
  // The value of the header `authorization` has two words.
  const hidden = [
    ...secrets,
    ...secrets.flatMap((secret) => secret.split(/\s+/)),
    account?.username,
    account?.email,
    detail['subject'],
  ];
  let shown = cut(text)
    .replace(/\p{C}+/gu, ' ')
    .trim();
  for (const value of hidden) {
    if (typeof value !== 'string' || value === '') continue;
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) shown = mask(shown, form);
  }
  shown = shown.replace(ADDRESS, MASK).replace(LONG_TOKEN, MASK);
  return [...shown].slice(0, MAX_SHOWN).join('');
}

/** Ends before the last word, which may be a part of what is not shown. */
function cut(text: string): string {
  return text.length <= MAX_READ ? text : text.slice(0, MAX_READ).replace(/\S*$/, '');
}

function mask(text: string, form: string): string {
  const escaped = form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = form.length < SHORT ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped;
  return text.replaceAll(new RegExp(pattern, 'giu'), MASK);
}
