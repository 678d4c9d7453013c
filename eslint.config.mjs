import eslintN from 'eslint-plugin-n';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

/** Things that break in the CommonJS bundle or bypass the one place that owns them. */
const restrictedSyntax = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals: enums are not erasable.' },
  { selector: 'MetaProperty', message: 'import.meta does not exist in the CommonJS bundle.' },
  { selector: 'ImportExpression > :not(Literal)', message: 'A computed import cannot be bundled.' },
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Use named exports: a name is searched for, a default is not.',
  },
];

const processProperties = [
  { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
  { object: 'process', property: 'exit', message: 'Only src/main.ts and src/cli end the process.' },
];

export default tseslint.config(
  { ignores: ['dist/**', 'coverage/**', 'node_modules/**', 'src/gen/**', '**/*.mjs', '**/*.cjs'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { n: eslintN },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      'no-restricted-properties': ['error', ...processProperties],
      'n/prefer-node-protocol': 'error',
      complexity: ['error', 15],
      'max-lines': ['error', { max: 300, skipComments: true, skipBlankLines: true }],
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  { files: ['src/config/**', 'src/main.ts', 'src/cli/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['test/**', 'scripts/**', 'bench/**'],
    rules: {
      'no-console': 'off',
      'no-restricted-properties': 'off',
      'max-lines': ['error', { max: 500, skipComments: true, skipBlankLines: true }],
      'max-lines-per-function': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
      'jest/no-standalone-expect': 'off',
      'jest/require-top-level-describe': 'off',
    },
  },
  // A contract suite is exported by design: every implementation's test file calls it.
  { files: ['test/contract/**/*.ts'], ignores: ['**/*.test.ts'], rules: { 'jest/no-export': 'off' } },
);
