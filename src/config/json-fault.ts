/** Where a text stops being JSON (RFC 8259). */

export interface JsonFault {
  /** `line 3, column 5`; both count from one. */
  position: string;
  /** What Node.js says, without the text around the place. It names one character of an unexpected token. */
  what: string;
}

/** @param error of `JSON.parse(text)` */
export function jsonFault(text: string, error: unknown): JsonFault {
  const message = toMessage(error);
  const [, what = message, index] = /^(.*?)(?: in JSON)? at position (\d+)/s.exec(message) ?? [];
  const at = index === undefined ? unexpectedAt(text) : Number(index);
  const before = text.slice(0, at).split('\n');
  const [named = ''] = /^Unexpected token '.+?'/s.exec(what) ?? [what];
  return { position: `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`, what: named };
}

/** Node.js does not tell where an unexpected token is: where the shortest text ends that has it. */
function unexpectedAt(text: string): number {
  let [sound, faulty] = [0, text.length + 1];
  while (faulty - sound > 1) {
    const middle = Math.floor((sound + faulty) / 2);
    if (isUnexpectedIn(text.slice(0, middle))) faulty = middle;
    else sound = middle;
  }
  return faulty - 1;
}

function isUnexpectedIn(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return toMessage(error).startsWith('Unexpected token');
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
