import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

// The tests that go through the running application, once more on MySQL or MariaDB.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    name: 'backend-mysql',
    include: ['test/**/*.test.ts', 'src/modules/base/data/**/*.test.ts'],
    env: { ...base.test?.env, TEST_DATABASE_SERVER: process.env.TEST_MYSQL_URL ?? '' },
  },
});
