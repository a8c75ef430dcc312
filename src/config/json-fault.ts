/** Finds the position at which a text is not valid JSON (RFC 8259). */

export interface JsonFault {
  /** `line 3, column 5`; both count from one. */
  position: string;
  /** The message of Node.js without the text around the position; it contains at most one character of the text. */
  what: string;
}

/** @param error the error that `JSON.parse(text)` threw */
export function findJsonFault(text: string, error: unknown): JsonFault {
  const message = toMessage(error);
  const [, problem = message, index] = /^(.*?)(?: in JSON)? at position (\d+)/s.exec(message) ?? [];
  const offset = index === undefined ? findUnexpectedToken(text) : Number(index);
  const lines = text.slice(0, offset).split('\n');
  const [what = ''] = /^Unexpected token '.+?'/s.exec(problem) ?? [problem];
  return { position: `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`, what };
}

/**
 * Finds the position of an unexpected token, which Node.js does not report: the shortest faulty beginning of the text ends there.
 * @returns the length of the text if it is only incomplete
 */
function findUnexpectedToken(text: string): number {
  let [validLength, faultyLength] = [0, text.length + 1];
  while (faultyLength - validLength > 1) {
    const middle = Math.floor((validLength + faultyLength) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) faultyLength = middle;
    else validLength = middle;
  }
  return faultyLength - 1;
}

function hasUnexpectedToken(text: string): boolean {
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
