/**
 * Reads Hydra's responses. Every member is checked, because a proxy, another product or a newer version may answer.
 * Lists may be null, members may be missing (docs/hydra-behaviour.md, fact 9 and part A.6).
 */
import { UpstreamUnavailable } from './hydra.errors.js';

export type Wire = Readonly<Record<string, unknown>>;

export function toObject(value: unknown, description: string): Wire {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UpstreamUnavailable(`Hydra answered with ${description} that is not a JSON object`);
  }
  return value as Wire;
}

/** @returns an empty object if the value is missing or not an object */
export function toObjectOrEmpty(value: unknown): Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
}

export function readText(wire: Wire, name: string): string {
  const value = wire[name];
  if (typeof value !== 'string') throw new UpstreamUnavailable(`Hydra answered without the text "${name}"`);
  return value;
}

export function readOptionalText(wire: Wire, name: string): string | undefined {
  const value = wire[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readFlag(wire: Wire, name: string): boolean {
  return wire[name] === true;
}

export function readTexts(wire: Wire, name: string): readonly string[] {
  const value = wire[name];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/**
 * Removes control, directional and invisible characters, which can disguise a name; keeps everything else, including the joiners
 * and variation selectors that scripts and emoji need (UTR 36; UTS 39).
 */
export function removeInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]|(?![\u200c\u200d\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}/gu, '');
}
