/** The options that set attributes and groups of an account. */
import type { GivenOptions, Option } from './command.js';

export const ATTRIBUTE_OPTIONS = {
  'further-group': { value: 'NAME', multiple: true, about: 'further group, in addition to --group; may be repeated' },
  attributes: { value: 'JSON', about: 'attributes as a JSON object, such as {"department":"Sales"}; see ACCOUNT_SCHEMA' },
} as const satisfies Record<string, Option>;

/** @throws CliFailure if the attributes are not a JSON object */
export function readAttributes(options: GivenOptions): { groups?: string[]; attributes?: Record<string, unknown> } {
  const groups = options.texts('further-group');
  const attributes = options.jsonObject('attributes');
  return {
    ...(groups.length === 0 ? {} : { groups }),
    ...(attributes === undefined ? {} : { attributes }),
  };
}
