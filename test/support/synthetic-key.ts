export { SyntheticKey } from '../../testing/synthetic-key.js';
export type {
  AssertionAnswer,
  AssertionDeviation,
  KeyAlgorithm,
  RegistrationDeviation,
  SyntheticKeyOptions,
} from '../../testing/synthetic-key.js';
