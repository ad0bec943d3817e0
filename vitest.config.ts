import { defineConfig } from 'vitest/config';

const projects = [
  'packages/contracts',
  'packages/backend/vitest.config.ts',
  'packages/frontend/vitest.config.ts',
  'packages/frontend/e2e/vitest.config.ts',
];
if (process.env.TEST_MYSQL_URL) projects.push('packages/backend/vitest.mysql.config.ts');

export default defineConfig({ test: { projects } });
