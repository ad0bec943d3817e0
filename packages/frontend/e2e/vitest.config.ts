import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

// They drive the built console in a real Chromium; without one they are left out, which CI does not allow.
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: existsSync(chromiumPath) || process.env.CI ? ['**/*.test.ts'] : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
