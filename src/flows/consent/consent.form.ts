import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';
import { FIELDS } from '../../contract/form-fields.js';
import { Challenge, OptionalText, ReadAs } from '../../gateway/http/form-fields.decorators.js';

export class ConsentQuery {
  @Challenge()
  [FIELDS.consentChallenge] = '';
}

export class ConsentForm {
  @Challenge()
  [FIELDS.consentChallenge] = '';

  /** One selected scope arrives as a string, several as a list, none not at all. */
  @ReadAs((value) => (value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value]))
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @MaxLength(1000, { each: true })
  [FIELDS.scopes]: string[] = [];

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}
