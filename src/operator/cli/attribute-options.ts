/** The options of a command line that set attributes and groups of an account. */
import type { GivenOptions, Option } from './command.js';
import { usage } from './cli-failure.js';

export const ATTRIBUTE_OPTIONS = {
  'further-group': { value: 'NAME', multiple: true, about: 'a group beside --group; for each one' },
  attributes: { value: 'JSON', about: 'attributes as a JSON object, like {"department":"Sales"}; see ACCOUNT_SCHEMA' },
} as const satisfies Record<string, Option>;

/** @throws CliFailure if the attributes are not a JSON object */
export function attributeMembers(options: GivenOptions): { groups?: string[]; attributes?: Record<string, unknown> } {
  const groups = options.texts('further-group');
  const attributes = options.text('attributes');
  return {
    ...(groups.length === 0 ? {} : { groups }),
    ...(attributes === undefined ? {} : { attributes: objectIn(attributes) }),
  };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw usage('--attributes takes a JSON object, like \'{"department":"Sales"}\'.');
}
