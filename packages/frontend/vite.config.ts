import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import vue from '@vitejs/plugin-vue';
import AutoImport from 'unplugin-auto-import/vite';
import { ElementPlusResolver } from 'unplugin-vue-components/resolvers';
import Components from 'unplugin-vue-components/vite';
import { defineConfig, type Plugin } from 'vite';

// Under Vitest no styles: then Node loads Element Plus itself and nothing of it goes through Vite.
const resolver = ElementPlusResolver({ importStyle: process.env.VITEST ? false : 'css' });
// Named here, so that the .d.ts does not depend on which files were built.
const messages = { 'element-plus/es': ['ElMessage', 'ElMessageBox'] };
const server = process.env.API_URL ?? 'http://127.0.0.1:8001';

/** Lays a compressed copy beside each file; the server sends those. */
const compressed: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  async writeBundle({ dir = 'dist' }, bundle) {
    const files = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
    for (const path of files.map((name) => join(dir, name))) {
      await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }));
    }
  },
};

export default defineConfig({
  plugins: [
    vue(),
    // ElMessage and the like, with their styles; components by tag. Both .d.ts files are committed.
    AutoImport({ resolvers: [resolver], imports: [messages], dts: 'auto-imports.d.ts' }),
    Components({ resolvers: [resolver], dts: 'components.d.ts', dirs: [] }),
    compressed,
  ],
  resolve: {
    alias: {
      '@netaclaw/contracts': fileURLToPath(new URL('../contracts/src/index.ts', import.meta.url)),
    },
  },
  define: {
    __VUE_I18N_FULL_INSTALL__: false,
    __VUE_I18N_LEGACY_API__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
    // Messages are interpreted, not turned into code: the content security policy forbids `eval`.
    __INTLIFY_JIT_COMPILATION__: true,
  },
  server: {
    port: 5173,
    proxy: {
      '^/(admin|api|v1|health|openapi.json)(/|$)': server,
      // `Host` stays as it is: the server compares it with the page's origin.
      '^/ws$': { target: server, ws: true, changeOrigin: false },
    },
  },
  build: {
    // Its polyfill is an inline script, which the content security policy forbids.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // vue-echarts and @vue-flow come with the pages that show them, not with the first one.
            {
              name: 'vue',
              test: /node_modules[\\/](\.pnpm[\\/])?(@?vue(?!-echarts|-flow)|pinia|@intlify)/,
            },
            {
              name: 'contracts',
              test: /(packages[\\/]contracts[\\/]|node_modules[\\/](\.pnpm[\\/])?zod)/,
            },
          ],
        },
      },
    },
  },
});
