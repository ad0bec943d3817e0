import './zod-setup.js';
import 'element-plus/theme-chalk/base.css';
import 'element-plus/theme-chalk/dark/css-vars.css';
// Called, not placed in a template: nothing else brings their styles.
import 'element-plus/es/components/message/style/css';
import 'element-plus/es/components/message-box/style/css';
import './console.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import App from './app.vue';
import { i18n, preferredLocale, useLocale } from './i18n/index.js';
import { router } from './router.js';

await useLocale(preferredLocale());
createApp(App).use(createPinia()).use(i18n).use(router).mount('#app');
