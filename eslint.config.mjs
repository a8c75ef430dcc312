/**
 * What the linter holds without types: the sizes of CONTRIBUTING.md, and the rules that are about words in a file.
 * Rules that need types stand in `.oxlintrc.json`, who may import whom in `.dependency-cruiser.mjs`.
 */
import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const TESTS = ['**/*.test.ts', '**/*.test.tsx', 'test/**/*.ts', 'test/**/*.tsx'];
const PRODUCT = ['src/**/*.ts', 'embedded/**/*.ts', 'test-kit/**/*.ts', 'web/**/*.ts', 'web/**/*.tsx'];

const lines = (max) => ({ max, skipBlankLines: true, skipComments: true, IIFEs: true });

const parameters = (most, where) => ({
  selector: where.replaceAll('PARAMETERS', `[params.length>${most}]`),
  message: `More than ${most} parameters: pass one object.`,
});

const ENUMS = { selector: 'TSEnumDeclaration', message: 'Use a union of strings: an enum accepts every number.' };

const REFUSED_SYNTAX = [
  ENUMS,
  parameters(3, 'FunctionDeclarationPARAMETERS'),
  parameters(3, 'ArrowFunctionExpressionPARAMETERS'),
  parameters(3, ':not(MethodDefinition[kind="constructor"]) > FunctionExpressionPARAMETERS'),
  parameters(6, 'MethodDefinition[kind="constructor"] > FunctionExpressionPARAMETERS'),
];

const RAW_MARKUP = {
  selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
  message: 'Text from a server, a client or a person is shown as text.',
};

const UNINJECTED_TIME = {
  selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
  message: 'Ask the injected Clock for the time.',
};

const ENVIRONMENT = [
  { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
  { object: 'globalThis', property: 'process', message: 'Only src/config reads the environment.' },
];

const RANDOM = { object: 'Math', property: 'random', message: 'Use node:crypto: Math.random can be predicted.' };
const TIME = { object: 'Date', property: 'now', message: 'Ask the injected Clock for the time.' };

const NARROWED_TESTS = ['it', 'test', 'describe'].flatMap((object) =>
  ['only', 'todo'].map((property) => ({ object, property, message: 'A committed test runs.' })),
);

const BROWSER_GLOBALS = ['window', 'document', 'navigator', 'location', 'history', 'localStorage', 'sessionStorage', 'fetch'];

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'screens/', '.cache/', '.foyer/', 'coverage/'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      // Hostile input is told by them.
      'no-control-regex': 'off',
      'no-misleading-character-class': ['error', { allowEscape: true }],
      'prefer-const': 'error',
      'no-param-reassign': 'error',
      'no-else-return': 'error',
      'object-shorthand': 'error',
      complexity: ['error', 15],
      'max-depth': ['error', 3],
      'max-lines-per-function': ['error', lines(40)],
      'no-restricted-syntax': ['error', ...REFUSED_SYNTAX],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'Buffer',
          'URL',
          'fetch',
          'setTimeout',
          'clearTimeout',
          'AbortSignal',
          'performance',
          'module',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Scripts of pages without a bundler.
    files: ['embedded/**/*.js', 'test/support/gallery/gallery-client.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'location', 'DOMParser', 'fetch', 'URLSearchParams', 'addEventListener'].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strict],
    // As in tsconfig.json: a type that a decorator keeps is imported as a value.
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Nest's modules are classes that hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
    },
  },
  {
    files: PRODUCT,
    ignores: TESTS,
    rules: {
      'no-console': 'error',
      'no-restricted-properties': ['error', ...ENVIRONMENT, RANDOM],
      'no-restricted-imports': ['error', { paths: ['process', 'node:process'].map((name) => ({ name, importNames: ['env'] })) }],
    },
  },
  {
    files: ['src/**/*.ts'],
    // A log line says when it was written, whatever the injected clock says.
    ignores: [...TESTS, 'src/config/clock.ts', 'src/gateway/http/log.ts'],
    rules: {
      'no-restricted-properties': ['error', ...ENVIRONMENT, RANDOM, TIME],
      'no-restricted-syntax': ['error', ...REFUSED_SYNTAX, UNINJECTED_TIME],
    },
  },
  // A type of axios for CommonJS and the library for ESM have two imports.
  { files: ['src/hydra/admin-connection.ts'], rules: { 'no-duplicate-imports': 'off' } },
  { files: ['src/config/*.ts'], ignores: TESTS, rules: { 'no-restricted-properties': ['error', RANDOM] } },
  { files: ['src/main.ts', 'src/operator/cli/**', 'embedded/start.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['web/**/*.ts', 'web/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended],
    rules: { 'no-restricted-syntax': ['error', ...REFUSED_SYNTAX, RAW_MARKUP] },
  },
  {
    files: ['web/pages/**', 'web/ui/**', 'web/app.tsx'],
    ignores: TESTS,
    rules: {
      'no-restricted-globals': [
        'error',
        ...BROWSER_GLOBALS.map((name) => ({ name, message: 'Only web/browser speaks to the browser.' })),
      ],
    },
  },
  // A page reads as one piece of markup.
  { files: ['web/**/*.tsx'], rules: { 'max-lines-per-function': ['error', lines(50)] } },
  {
    files: TESTS,
    rules: {
      // Stories over HTTP are long lists.
      'max-lines-per-function': 'off',
      'no-restricted-properties': ['error', ...NARROWED_TESTS],
      'no-restricted-globals': ['error', 'fit', 'fdescribe', 'xit', 'xtest', 'xdescribe'],
      'no-restricted-syntax': ['error', ENUMS],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
