export { SyntheticKey } from '../../test-kit/synthetic-key.js';
export type {
  AssertionAnswer,
  AssertionDeviation,
  KeyAlgorithm,
  RegistrationDeviation,
  SyntheticKeyOptions,
} from '../../test-kit/synthetic-key.js';
