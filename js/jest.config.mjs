/** Tests of what needs no browser: text in, text out. */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/tests/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      'ts-jest',
      {
        tsconfig: {
          module: 'commonjs',
          target: 'ES2022',
          isolatedModules: true,
          resolveJsonModule: true
        }
      }
    ]
  }
};
