/** One project per kind of test, so that each can be run alone: npx jest --selectProjects unit */
const common = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.[mc]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'node'],
};

const project = (name, extra = {}) => ({
  ...common,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  ...extra,
});

module.exports = {
  projects: [project('unit'), project('property'), project('contract'), project('integration')],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/gen/**', '!src/core/ports/**', '!src/main.ts'],
};
