import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Vite transforms with oxc, which takes the decorator options from tsconfig.json.
export default defineConfig({
  // An alias, not resolve.conditions: Vitest hands conditions on to Node, where 'module' breaks packages.
  resolve: {
    alias: {
      '@netaclaw/contracts': fileURLToPath(new URL('../contracts/src/index.ts', import.meta.url)),
    },
  },
  test: {
    name: 'backend',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // A native add-on, and Midway keeps its container in globals: one process a file.
    pool: 'forks',
    env: { NODE_ENV: 'unittest' },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
