import type { Language } from 'element-plus/es/locale/index.mjs';
import { shallowRef } from 'vue';
import { createI18n } from 'vue-i18n';
import { z } from 'zod';

export const locales = ['en', 'zh'] as const;
export type Locale = (typeof locales)[number];

const STORAGE_KEY = 'netaclaw.locale';

const messages = {
  en: () => import('./en.json'),
  zh: () => import('./zh.json'),
};
const elementMessages = {
  en: () => import('element-plus/es/locale/lang/en.mjs'),
  zh: () => import('element-plus/es/locale/lang/zh-cn.mjs'),
};

/** What zod says of a wrong value. */
const zodMessages = {
  en: () => import('zod/v4/locales/en.js'),
  zh: () => import('zod/v4/locales/zh-CN.js'),
};

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: {},
  // The built console warns of nothing by itself; a text that is not there must not go unseen.
  missing: (locale, key) => reportError(new Error(`No message ${key} in ${locale}`)),
});

/** What Element Plus's own texts are taken from. */
export const elementLocale = shallowRef<Language>();

/** Translates outside of a component's setup. */
export const translate = (key: string, values: Record<string, unknown> = {}): string =>
  i18n.global.t(key, values);

/** The language chosen before, else the browser's, else English. */
export function preferredLocale(): Locale {
  const chosen = localStorage.getItem(STORAGE_KEY);
  const wanted = [chosen ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.map(toLocale).find((locale) => locale !== undefined) ?? 'en';
}

/** Loads a language and shows the console in it. */
export async function useLocale(locale: Locale): Promise<void> {
  const [own, element, zod] = await Promise.all([
    messages[locale](),
    elementMessages[locale](),
    zodMessages[locale](),
  ]);
  z.config(zod.default());
  i18n.global.setLocaleMessage(locale, own.default);
  i18n.global.locale.value = locale;
  elementLocale.value = element.default;
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
}

/** The same by a person's choice, which is remembered. */
export async function chooseLocale(locale: Locale): Promise<void> {
  localStorage.setItem(STORAGE_KEY, locale);
  await useLocale(locale);
}

const toLocale = (tag: string): Locale | undefined => locales.find((locale) => locale === tag);
