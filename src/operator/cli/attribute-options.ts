/** The options that set attributes and groups of an account. */
import type { GivenOptions, Option } from './command.js';
import { buildUsageFailure } from './cli-failure.js';

export const ATTRIBUTE_OPTIONS = {
  'further-group': { value: 'NAME', multiple: true, about: 'further group, in addition to --group; may be repeated' },
  attributes: { value: 'JSON', about: 'attributes as a JSON object, such as {"department":"Sales"}; see ACCOUNT_SCHEMA' },
} as const satisfies Record<string, Option>;

/** @throws CliFailure if the attributes are not a JSON object */
export function readAttributes(options: GivenOptions): { groups?: string[]; attributes?: Record<string, unknown> } {
  const groups = options.texts('further-group');
  const attributes = options.text('attributes');
  return {
    ...(groups.length === 0 ? {} : { groups }),
    ...(attributes === undefined ? {} : { attributes: parseObject(attributes) }),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below covers text that is not JSON as well as JSON that is not an object.
  }
  throw buildUsageFailure('--attributes requires a JSON object, such as \'{"department":"Sales"}\'.');
}
