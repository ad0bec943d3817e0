import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** `npm run screenshots` draws the guide's pictures anew; a test run leaves them as they are. */
const wanted = process.env.SCREENSHOTS === '1' ? 'screenshots.ts' : '**/*.test.ts';
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

// They drive the built console in a real Chromium; without one they are left out, which CI does not allow.
export default defineConfig({
  test: {
    name: 'e2e',
    root: import.meta.dirname,
    include: existsSync(chromiumPath) || process.env.CI ? [wanted] : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
