/**
 * A document that was rendered with markers in place of texts, and split at the markers, so that it can be filled with the texts of
 * a request. A document writes texts in several ways, such as escaped or encoded, and each way writes the marker differently, so
 * each slot stores how its text is written. A document that contains a marker written in any other way is not split.
 */
import { toInitials } from '../../contract/initials.js';
import { escapeHtml } from './document.js';

/** Escapes a text or an attribute as React does. */
const escapeAsReact = (text: string): string => escapeHtml(text, '&#x27;');
const encodeAsForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

const WAYS: readonly ((text: string) => string)[] = [
  escapeAsReact,
  // The state of the page.
  (text) => escapeHtml(JSON.stringify(text).slice(1, -1)),
  // The title has no soft hyphens.
  (text) => escapeHtml(text.replaceAll('\u00ad', '')),
  (text) => escapeHtml(text),
  (text) => escapeAsReact(encodeURIComponent(text)),
  (text) => escapeAsReact(encodeAsForm(text)),
  (text) => escapeAsReact(toInitials(text)),
];
/** The first `PLAIN_WAYS` ways do not change such a text: challenges, tickets, most addresses and names. */
const PLAIN_TEXT = /^[\w\-.~:/?=@,; ]*$/;
const PLAIN_WAYS = 4;

export const MAX_TEXTS = 100;
/**
 * The marker of each text begins with a different letter, from a script without upper and lower case, so that initials can be told apart.
 */
const FIRST_LETTER = 0xa000;
/** The rest of each marker: a letter in both cases, and characters that the ways write differently. */
const TAIL = `\ua640\ua641\u00ad~'"`;
/** How a marker begins, plain or encoded, and what remains of a marker that was changed. */
const BEGINNING = /[\ua000-\ua063]|%EA%80%[89AB][0-9A-F]|%EA%81%[89A][0-9A-F]/g;
const REMAINS = /[\ua000-\ua063\ua640\ua641]|%EA%/i;

interface Marker {
  text: string;
  /** The marker as each way writes it, by number of the way. */
  spellings: readonly string[];
  /** Numbers of the ways. The way with the longest result comes first, because one result may begin like another. */
  ways: readonly number[];
}

const MARKERS: readonly Marker[] = Array.from({ length: MAX_TEXTS }, (_, index) => {
  const text = String.fromCharCode(FIRST_LETTER + index) + TAIL;
  const spellings = WAYS.map((way) => way(text));
  const measureLength = (way: number): number => spellings[way]?.length ?? 0;
  return { text, spellings, ways: [...WAYS.keys()].sort((a, b) => measureLength(b) - measureLength(a)) };
});

const MARKERS_IN_JSON = MARKERS.map(({ text }) => JSON.stringify(text));

/** @returns the marker of the text with this number, as JSON */
export function buildJsonMarker(number: number): string {
  return MARKERS_IN_JSON[number] ?? '""';
}

export class TextSlots {
  private constructor(
    private readonly prefix: string,
    private readonly slots: readonly { textNumber: number; wayNumber: number; suffix: string }[],
  ) {}

  /** Splits a document at its markers. @returns null if the document writes a text in an unknown way */
  static parse(html: string): TextSlots | null {
    const markers = [...html.matchAll(BEGINNING)].map(({ 0: beginning, index }) => {
      const textNumber = decodeURIComponent(beginning).charCodeAt(0) - FIRST_LETTER;
      const { spellings = [], ways = [] } = MARKERS[textNumber] ?? {};
      const wayNumber = ways.find((candidate) => html.startsWith(spellings[candidate] ?? '', index)) ?? 0;
      return { textNumber, wayNumber, start: index, end: index + (spellings[wayNumber]?.length ?? 0) };
    });
    const findStart = (markerNumber: number): number => markers[markerNumber]?.start ?? html.length;
    const slots = markers.map(({ textNumber, wayNumber, end }, index) => ({
      textNumber,
      wayNumber,
      suffix: html.slice(end, findStart(index + 1)),
    }));
    const prefix = html.slice(0, findStart(0));
    return [prefix, ...slots.map(({ suffix }) => suffix)].some((piece) => REMAINS.test(piece))
      ? null
      : new TextSlots(prefix, slots);
  }

  fill(texts: readonly string[]): string {
    const arePlain = texts.map((text) => PLAIN_TEXT.test(text));
    let html = this.prefix;
    for (const { textNumber, wayNumber, suffix } of this.slots) {
      const value = texts[textNumber] ?? '';
      html += (wayNumber < PLAIN_WAYS && arePlain[textNumber] ? value : (WAYS[wayNumber]?.(value) ?? '')) + suffix;
    }
    return html;
  }
}
