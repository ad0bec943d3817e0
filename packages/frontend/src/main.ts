import './zod-setup.js';
import 'element-plus/theme-chalk/base.css';
import 'element-plus/theme-chalk/dark/css-vars.css';
import './console.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './app.vue';
import { i18n, preferredLocale, useLocale } from './i18n/index.js';
import { router } from './router.js';

await useLocale(preferredLocale());
createApp(App).use(createPinia()).use(i18n).use(router).mount('#app');
